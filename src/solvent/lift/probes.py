"""Functions with probes: while a profile is taken, lifted functions run other code.

The code of a lifted function is exchanged for one with probes (`rewrite.probing`) and put back
when the profile ends, so that nothing is different without one.  Functions that are lifted
meanwhile get theirs at once.  Only the user's functions have probes: what a library does belongs to
the line that called it.
"""

from __future__ import annotations

import ast
import contextlib
from dataclasses import dataclass
from types import CodeType, FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.codes import Codes
from solvent.lift.function import (
    LIFTED_FUNCTIONS,
    ON_LIFTING,
    compile_function,
    definition_of,
)
from solvent.lift.helpers import LAMBDA, PREFIX
from solvent.lift.origins import is_users
from solvent.lift.rewrite import macros
from solvent.lift.rewrite.probing import Lines, probed, with_probe
from solvent.lift.typed import code_of
from solvent.vm.probe import LIFTING, OUTSIDE, PROBE, RUN, Point


@dataclass(frozen=True, slots=True)
class Place:
    """A function that is measured: its name, its file, its first and last line."""

    name: str
    filename: str
    first: int
    last: int


# By the numbers that the probe has for them.
PLACES: dict[int, Place] = {
    OUTSIDE: Place("(outside of runs)", "", 0, 0),
    RUN: Place("(symbolic run)", "", 0, 0),
    LIFTING: Place("(rewriting functions)", "", 0, 0),
}
# Lines that run one after the other and have a place together, in the order of their places, which
# come after those of the function's lines.
BLOCKS: dict[int, list[tuple[int, ...]]] = {}
_CODES = Codes()


class Namer:
    """Gives numbers to a function and to those inside of it."""

    def __init__(self, original: CodeType, node: ast.FunctionDef) -> None:
        self.filename = original.co_filename
        self.name = original.co_qualname
        self.outer = node
        self.number = -1

    def __call__(self, node: ast.FunctionDef) -> int:
        """The number of a function; what the rewriter has made of a part has that of the whole."""
        if self.number < 0:
            self.number = self._added(self.name, self.outer)
            return self.number
        name = node.name
        if name.startswith(PREFIX) and not name.startswith(LAMBDA):
            return self.number
        shown = "<lambda>" if name.startswith(LAMBDA) else name
        inner = Namer.__new__(Namer)
        inner.filename, inner.name, inner.outer = self.filename, self.name, node
        return inner._added(f"{self.name}.<locals>.{shown}", node)

    def _added(self, name: str, node: ast.FunctionDef) -> int:
        first, last = node.lineno, node.end_lineno or node.lineno
        number = PROBE.function(last - first + 1)
        PLACES[number] = Place(name, self.filename, first, last)
        return number


def probed_code(function: FunctionType) -> CodeType:
    """The rewritten code of a plain function, with probes."""
    original = code_of(function)

    def make() -> CodeType:
        unit, node, classes = definition_of(function, original)

        points: list[Lines] = []

        def instrument(whole: ast.FunctionDef, node: ast.FunctionDef) -> None:
            points.extend(probed(whole, Namer(original, node)))

        code = compile_function(unit, node, classes, original, instrument)
        return with_probe(code, [PROBE, *(_probe_for(lines) for lines in points)])

    return _CODES.of(original, macros.variant(function), make)


def _probe_for(lines: Lines) -> object:
    """What stands in the code for lines of a function, or for the function."""
    if lines.lines:
        return _point(lines)
    return PROBE.entry(lines.function, None if lines.first is None else _point(lines.first))


def _point(lines: Lines) -> Point:
    place = PLACES[lines.function]
    here = tuple(sorted({min(max(line, place.first), place.last) for line in lines.lines}))
    if not lines.light:
        return PROBE.point(lines.function, here[0] - place.first, False)
    BLOCKS.setdefault(lines.function, []).append(here)
    return PROBE.point(lines.function, PROBE.place(lines.function), True)


class Probes:
    """Exchanges the code of functions, until it is put back."""

    def __init__(self) -> None:
        self.changed: list[tuple[FunctionType, CodeType]] = []

    def add(self) -> None:
        """Give probes to all functions of the user, and to those that are lifted from now on."""
        ON_LIFTING.append(self.exchange)
        for function in list(LIFTED_FUNCTIONS):
            self.exchange(function)

    def exchange(self, function: FunctionType) -> None:
        """Give probes to a lifted function."""
        plain = function.__wrapped__  # type: ignore[attr-defined]
        if not is_users(plain):
            return
        # What cannot be compiled with probes belongs to the line that calls it.
        with contextlib.suppress(NotLiftedError):
            code = probed_code(plain)
            if code.co_freevars == function.__code__.co_freevars:
                self.changed.append((function, function.__code__))
                function.__code__ = code

    def remove(self) -> None:
        """Put the code back."""
        if self.exchange in ON_LIFTING:
            ON_LIFTING.remove(self.exchange)
        while self.changed:
            function, code = self.changed.pop()
            function.__code__ = code
