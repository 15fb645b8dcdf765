"""What a program prints cannot be taken back, but the program cannot read it either.

So it is printed at once.  What is printed on some paths only says so: each of its lines starts with
`[if <path condition>]`.
"""

from __future__ import annotations

import sys
from io import TextIOBase
from typing import TextIO
from weakref import WeakSet

from solvent.vm.machine import Machine, current
from solvent.vm.owned import VARYING
from solvent.vm.values import Value

# What may be asked of a stream besides writing to it.
_HARMLESS = frozenset(("fileno", "flush", "isatty", "readable", "seekable", "writable"))


# Under this key a machine has the list of what is to be printed by whoever it works for.
LATER = "printed later"

# Streams that lifted code made: a program can read what it printed into them.
MADE: WeakSet[TextIOBase] = WeakSet()


def is_terminal(machine: Machine, stream: object) -> bool:
    """Whether a stream is where the run's output went from the beginning."""
    if stream is None:
        return False
    if machine.ambient:
        return (stream is sys.stdout or stream is sys.stderr) and stream not in MADE
    return any(stream is found for found in machine.terminals)


def marked(text: str) -> str:
    """A text with the condition under which it is printed."""
    condition = current().state.path.term
    if condition is True:
        return text
    return "".join(f"[if {condition}] {line}" for line in text.splitlines(keepends=True))


def can_do(name: str) -> bool:
    """Whether a method of the stream may be called on some paths only."""
    return name in _HARMLESS or name in ("write", "writelines")


def do(stream: TextIO, name: str, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
    """Call one of these methods."""
    if name == "write" and len(args) == 1 and not named:
        text = args[0]
        if isinstance(text, (str, *VARYING)):
            later = current().notes.get(LATER)
            if later is not None:
                shown = str(text)
                later.append(lambda: do(stream, name, (shown,), named))
                return len(text) if isinstance(text, str) else None
            stream.write(marked(str(text)))
            return len(text) if isinstance(text, str) else None
    if name == "writelines" and len(args) == 1 and not named:
        for line in args[0]:
            do(stream, "write", (line,), {})
        return None
    return getattr(stream, name)(*args, **named)
