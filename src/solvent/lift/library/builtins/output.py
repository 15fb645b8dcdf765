"""`print`, `input` and warnings.

What goes to the terminal is printed at once (`solvent.lift.terminal`), symbolic values as the text
of their terms.  What a program prints into an object of its own is a call of the object's `write`.
"""

from __future__ import annotations

import builtins
import io
import sys
import warnings
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.calls import method
from solvent.lift.formatting import text_of
from solvent.lift.purity import warning_is_silent
from solvent.lift.registry import lifts
from solvent.lift.terminal import LATER, is_terminal, marked
from solvent.lift.unlifted import Direct
from solvent.vm.machine import current
from solvent.vm.owned import VARYING
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value


@lifts(print)
def print_(
    *values: Value, sep: Value = " ", end: Value = "\n", file: Value = None, flush: bool = False
) -> None:
    """`print(...)`; what is printed on the terminal under a symbolic condition says so."""
    if type(file) is Union:
        over(file, lambda each: print_(*values, sep=sep, end=end, file=each, flush=flush))
        return
    machine = current()
    stream = sys.stdout if file is None else file
    if stream is not None and not is_terminal(machine, stream):
        _print_into(stream, values, " " if sep is None else sep, "\n" if end is None else end)
        if flush:
            method(stream, "flush")()
        return
    texts = [_shown(value) for value in values]
    later = machine.notes.get(LATER)
    if later is not None:
        later.append(lambda: print_(*texts, sep=sep, end=end, file=file, flush=flush))
        return
    if machine.state.path.term is True:
        builtins.print(*texts, sep=sep, end=end, file=file, flush=flush)
        return
    text = io.StringIO()
    builtins.print(*texts, sep=sep, end=end, file=text)
    builtins.print(marked(text.getvalue()), end="", file=file, flush=flush)


def _print_into(stream: Value, values: tuple[Value, ...], sep: Value, end: Value) -> None:
    """Print by calls of `write`, as many as Python makes."""
    for place, value in enumerate(values):
        if place:
            method(stream, "write")(sep)
        method(stream, "write")(text_of(value))
    method(stream, "write")(end)


def _shown(value: Value) -> str:
    """The text of a value, with the text of terms for what is symbolic."""
    if isinstance(value, VARYING):
        return str(value)
    cls = type(value)
    if any(type(getattr(cls, name, None)) is FunctionType for name in ("__str__", "__repr__")):
        return str(text_of(value))
    return str(value)


@lifts(input)
def input_(prompt: Value = "") -> str:
    """`input(prompt)`."""
    if current().layers:
        raise NotLiftedError(
            "`input` under a symbolic condition is not lifted; read before the program branches"
        )
    return input(prompt)


@lifts(warnings.warn)
def warn(
    message: Value, category: Value = None, stacklevel: int = 1, source: Value = None
) -> Value:
    """`warnings.warn(...)`: on some paths only, one that would only be shown is not even that."""
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    if current().is_divided and isinstance(kind, type) and warning_is_silent(kind):
        return None
    return Direct(warnings.warn)(message, category, stacklevel, source)
