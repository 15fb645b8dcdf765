"""Lifted generators.

A lifted generator runs as a native one as long as all paths yield together.  From the first item
that only some paths yield, items go into a buffer, a list whose writes are journaled like all
others, and the consumer gets the buffer when the generator is done: a list whose length differs
between paths.

A native frame cannot be rewound.  If a generator is advanced on some paths only and then used where
all paths have met again, there is no right answer, and it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import sequences
from solvent.lift.registry import lifts_method
from solvent.vm.machine import current
from solvent.vm.scopes import Scope
from solvent.vm.state import Path


def is_below(path: Path, ancestor: Path) -> bool:
    """Whether a path is a part of another."""
    found: Path | None = path
    while found is not None:
        if found is ancestor:
            return True
        found = found.parent
    return False


class Progress:
    """Where something that cannot be rewound was advanced last."""

    __slots__ = ("path",)

    def __init__(self) -> None:
        self.path = current().state.path

    def check(self) -> None:
        """Called before every step."""
        path = current().state.path
        if path is not self.path:
            if not is_below(path, self.path):
                raise NotLiftedError(
                    "an iterator or generator was advanced on some paths only and is then used "
                    "again where those paths have met; make a list of its items first"
                )
            self.path = path


class GeneratorState(Progress):
    """What a lifted generator knows while it runs."""

    __slots__ = ("base", "buffer", "depth", "saved")

    def __init__(self) -> None:
        super().__init__()
        self.buffer: list[Any] | None = None
        self.saved: list[Scope] = []

    def buffering(self) -> bool:
        """Whether an item that is yielded now must wait for the other paths.

        If not, the frame is about to be left: its scopes are taken off the stacks.
        """
        if self.buffer is not None:
            return True
        machine = current()
        forks, scopes = machine.forks, machine.scopes
        if len(forks) == self.depth and len(scopes) == self.base:
            return False
        if len(forks) > self.depth or any(scope.others() for scope in scopes[self.base :]):
            self.buffer = []
            return True
        self.suspend()
        return False

    def put(self, value: Any) -> None:
        """Yield into the buffer."""
        assert self.buffer is not None
        sequences.append(self.buffer, value)

    def suspend(self) -> None:
        """Take the scopes of the frame off the stacks."""
        machine = current()
        self.saved = machine.scopes[self.base :]
        for scope in reversed(self.saved):
            machine.close_layer(scope.close())

    def resume(self, leaving: bool = False) -> None:
        """Called when the frame goes on."""
        if leaving:
            return
        machine = current()
        if machine.state.path is not self.path:
            self.check()
        self.base, self.depth = len(machine.scopes), len(machine.forks)
        saved, self.saved = self.saved, []
        for scope in saved:
            scope.depth = self.depth
            scope.path = machine.state.path
            machine.scopes.append(scope)
            scope.open()


def drive(
    state: GeneratorState, body: Callable[..., Generator[Any, Any, Any]], *args: Any
) -> Generator[Any, Any, Any]:
    """Run the body of a lifted generator function."""
    state.resume()
    result = yield from body(state, *args)
    if state.buffer is not None:
        for item in state.buffer:
            yield item
            state.check()
    return result


class Delegate:
    """What `yield from` takes its items from, and the value that it gives in the end."""

    __slots__ = ("source", "value")

    def __init__(self, source: Any) -> None:
        self.source = source
        self.value: Any = None

    def items(self) -> Generator[Any, Any, None]:
        """The items."""
        from solvent.lift.iteration import iterate

        found = iterate(self.source)
        if type(found) is GeneratorType:
            self.value = yield from found
        else:
            yield from found


@lifts_method(GeneratorType)
def send(generator: Any, value: Any) -> Any:
    """`generator.send(value)`."""
    return generator.send(value)


@lifts_method(GeneratorType)
def throw(generator: Any, *error: Any) -> Any:
    """`generator.throw(error)`."""
    return generator.throw(*error)


@lifts_method(GeneratorType, name="__next__")
def step(generator: Any) -> Any:
    """`generator.__next__()`."""
    return next(generator)


@lifts_method(GeneratorType)
def close(generator: Any) -> None:
    """`generator.close()`."""
    generator.close()


class TrackedIterator(Progress):
    """An iterator of a library, which must not be advanced on some paths only."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Any) -> None:
        super().__init__()
        self.iterator = iterator

    def __iter__(self) -> TrackedIterator:
        return self

    def __next__(self) -> Any:
        self.check()
        return next(self.iterator)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.iterator, name)
