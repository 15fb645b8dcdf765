"""Traces of programs with threads: which one runs, where it is interrupted, and the values."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.boogie.values import given, shown
from solvent.reach.positions import NOWHERE
from solvent.reach.program import Program
from solvent.reach.threads.running import Told
from solvent.reach.threads.search import ThreadsAnswer


def thread_lines(found: ThreadsAnswer, program: Program) -> Iterator[str]:
    """What each thread does until an assertion fails, in the order in which it is done."""
    if not found.trace:
        return
    start = [f"{v} = {shown(found.start[v])}" for v in program.globals if v in found.start]
    if start:
        yield f"at the start: {', '.join(start)}"
    yield f"thread {found.trace[0].thread}:"
    for one in found.trace:
        if one.switch is not None:
            yield from _switch(one)
        else:
            yield "  " * (one.depth + 1) + _line(one)
    if found.failed is not None:
        yield f"{found.failed.where}: {found.failed.message}"


def _line(one: Told) -> str:
    values = ", ".join(given(variable.name, value) for variable, value in one.values.items())
    if one.started is not None:
        return f"{one.where}: starts thread {one.started}: {one.procedure}({values})"
    if one.procedure:
        return f"{one.procedure}({values})"
    return f"{one.where}: {values}"


def _switch(one: Told) -> Iterator[str]:
    """A context switch, with what the shared variables are then."""
    how = "is over" if one.where is NOWHERE else f"is interrupted at {one.where}"
    values = ", ".join(given(variable.name, value) for variable, value in one.values.items())
    yield f"context switch: thread {one.thread} {how}{f'; {values}' if values else ''}"
    yield f"thread {one.switch}:"
