"""C*: the language of Selfie (section 6.1), compiled to RISC-U.

>>> program = compile_text("uint64_t main() { return 42; }")
>>> [symbol.name for symbol in program.symbols]
['_start', 'main']
"""

from __future__ import annotations

from solvent.riscu.cstar.check import Checked, check
from solvent.riscu.cstar.diagnostics import CStarError, Diagnostic
from solvent.riscu.cstar.generate import generate
from solvent.riscu.cstar.parser import parse
from solvent.riscu.program import Program

__all__ = ["CStarError", "Checked", "Diagnostic", "check_text", "compile_text", "parse"]


def check_text(text: str, file: str = "<text>") -> Checked:
    """The syntax tree of a program with its types, or a `CStarError`."""
    return check(parse(text, file))


def compile_text(text: str, file: str = "<text>") -> Program:
    """The program that a C* text stands for, or a `CStarError`.

    >>> compile_text("uint64_t main() { return x; }", "a.c")
    Traceback (most recent call last):
        ...
    solvent.riscu.cstar.diagnostics.CStarError: a.c(1,26): error: there is no variable x
    """
    return generate(check_text(text, file))
