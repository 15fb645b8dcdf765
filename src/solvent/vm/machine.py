"""The machine: one symbolic run, with its state, its journal, its open forks and scopes.

What opens and closes them is in `forks`, `scopes` and `trying`.  A path ends in one of three ways:
with an exception of the program (`end_path`), with whatever was raised (`end_with`), or because
nobody knows how it would go on (`end_unknown`).  It then raises `PathEnd`, which the innermost fork
or scope with a living path catches.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from functools import wraps
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from solvent.errors import AssumptionError, SolventError
from solvent.terms.booleans import not_
from solvent.terms.memory import calm_collector, created_terms
from solvent.terms.ranges import Ranges
from solvent.vm.exceptions import is_program_exception, position_of
from solvent.vm.journal import (
    Effects,
    Layer,
    capture,
    commit,
    note_old,
    note_slot,
    note_whole,
    undo,
)
from solvent.vm.limits import Limits
from solvent.vm.own import is_own, position
from solvent.vm.owned import JOURNAL_REFERENCES
from solvent.vm.places import ATTRIBUTES, BYTES, ENTRIES, ITEMS, MEMBERS, Kind
from solvent.vm.probe import PROBE, RUN
from solvent.vm.report import STATS, Listener, Stats, new_stats
from solvent.vm.room import with_room
from solvent.vm.state import Failure, Path, PathEnd, State
from solvent.vm.values import Choice, Guard, Value

if TYPE_CHECKING:
    from solvent.vm.scopes import Scope


class Division(Protocol):
    """What divides paths and is still open: a symbolic branch, or exceptions of some paths only."""

    # Where it was made.
    code: CodeType | None
    frame: int | None
    # What the side wrote that has run already.
    effects: Effects | None

    @property
    def side(self) -> Guard:
        """The condition of the side that runs now."""


# All layers that are open on any machine: as long as it is empty, no write needs to be journaled.
JOURNALING: set[int] = set()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a symbolic run came to.

    `value` is the result where the run ends normally.  `assumes` and `asserts` are the state of
    figure 6: under a model that makes both true the run ends normally; where `asserts` is false it
    fails, and where `assumes` is false it is not of interest.  If `halted`, no input ends normally.
    `path` is the one on which the run ended: what failed or was assumed away has left it.
    """

    value: Value
    assumes: Guard
    asserts: Guard
    halted: bool
    failures: tuple[Failure, ...]
    stats: Stats
    path: Path
    # What the run wrote, if that was undone.
    effects: Effects = field(default_factory=dict)

    @property
    def normal(self) -> Guard:
        """The condition under which the run ends normally."""
        # The same as `assumes` and `asserts` together, but a far smaller formula.
        return False if self.halted else self.path.term


class Machine:
    """One symbolic run: its state, its open forks and scopes, its journal."""

    __slots__ = (
        "_learnt",
        "ambient",
        "base",
        "closing",
        "forks",
        "layers",
        "limits",
        "nested",
        "notes",
        "ranges",
        "scopes",
        "state",
        "stats",
        "terminals",
        "waiting",
        "watchers",
        "writes",
    )

    def __init__(self) -> None:
        # Whether it is the one of code that runs outside of any run.
        self.ambient = False
        self.state = State()
        self.forks: list[Division] = []
        self.scopes: list[Scope] = []
        self.layers: list[Layer] = []
        # How many of them belong to the run as a whole, which every path takes.
        self.base = 0
        # Scopes of `try` statements that need a layer as soon as paths differ.
        self.waiting: list[Scope] = []
        self.stats = new_stats()
        self.limits = Limits()
        # Who is told of every object that is about to be written, while there is somebody.
        self.watchers: list[Callable[[object], None]] = []
        # What ends with this run: machines that run parts of it, which nobody else closes.
        self.nested: list[Callable[[], None]] = []
        # How often the length or the order of something was about to change.
        self.writes = 0
        # Layers that are off the stack but not committed yet.
        self.closing: list[Layer] = []
        # Between which numbers symbolic ints lie, from what has been assumed on all paths; the path
        # on which everything learnt so far holds.
        self.ranges = Ranges()
        self._learnt: Path | None = None
        # What the layers above remember for the time of this run.
        self.notes: dict[object, Any] = {}
        # Where what the program prints goes; it cannot read what was printed.
        self.terminals = (sys.stdout, sys.stderr)

    def recursion(self, code: CodeType) -> int:
        """How many calls of one function have open forks or scopes."""
        frames = {fork.frame for fork in self.forks if fork.code is code}
        frames |= {scope.frame for scope in self.scopes if scope.code is code}
        return len(frames)

    @property
    def is_divided(self) -> bool:
        """Whether what is done now may be done on some paths only."""
        return len(self.layers) > self.base

    @property
    def listens(self) -> bool:
        """Whether writes have to be told: to the journal, or to somebody who watches them."""
        return bool(self.layers or self.watchers)

    # --- the journal --------------------------------------------------------------------------

    def open_layer(self) -> Layer:
        """A new layer on top; every write is remembered from now on."""
        if self.waiting:
            self.give_layers()
        layer: Layer = {}
        if not self.layers:
            JOURNALING.add(id(self))
        self.layers.append(layer)
        return layer

    def give_layers(self) -> None:
        """Open the layers of the scopes that wait for one."""
        if self.waiting:
            JOURNALING.add(id(self))
            for scope in self.waiting:
                scope.level = len(self.layers)
                self.layers.append({})
            self.waiting.clear()

    def stop_waiting(self) -> None:
        """Forget waiting scopes that are closed."""
        if self.waiting:
            self.waiting = [scope for scope in self.waiting if scope in self.scopes]

    def close_layer(self, layer: Layer) -> None:
        """Keep the writes of a layer that was taken from the top."""
        if self.layers:
            if layer:
                commit(layer, self.layers[-1])
        else:
            JOURNALING.discard(id(self))
        if self.closing and self.closing[-1] is layer:
            self.closing.pop()

    def drop_layer(self) -> None:
        """Take the layer on top away and keep its writes.

        The layer below knows them before it is gone: an interrupt may come between any two steps,
        and what no layer knows can never be undone.
        """
        layers = self.layers
        if len(layers) > 1:
            commit(layers[-1], layers[-2])
        layers.pop()
        if not layers:
            JOURNALING.discard(id(self))

    def take_back(self, layer: Layer) -> None:
        """An exception came before a layer that was taken from the top was closed.

        Whoever handles the exception closes it or undoes it with the layers that it left open.
        """
        if self.closing and self.closing[-1] is layer:
            self.closing.pop()
        if layer and self.layers and all(layer is not known for known in self.layers):
            self.layers.append(layer)

    def restore(self) -> None:
        """Undo all writes that any layer knows of, the newest first; it can be done again."""
        for layer in (*reversed(self.closing), *reversed(self.layers)):
            undo(layer)

    def write_slot(self, kind: Kind, owner: object, slot: Value) -> None:
        """Called before a slot is written."""
        if self.watchers:
            self.tell(owner)
        if self.layers:
            self.stats.writes += 1
            note_slot(self.layers[-1], kind, owner, slot)

    def wrote_slot(self, kind: Kind, owner: object, slot: Value, old: Value) -> None:
        """Called after a slot was written that held something else before."""
        if self.watchers:
            self.tell(owner)
        if self.layers:
            self.stats.writes += 1
            note_old(self.layers[-1], kind, owner, slot, old)

    def write_whole(self, kind: Kind, owner: object) -> None:
        """Called before the length or the order of contents changes."""
        self.writes += 1
        if self.watchers:
            self.tell(owner)
        if self.layers:
            self.stats.writes += 1
            note_whole(self.layers[-1], kind, owner)

    def watch(self, watcher: Callable[[object], None]) -> None:
        """Tell somebody of all writes from now on, also where nothing needs to be undone."""
        self.watchers.append(watcher)
        JOURNALING.add(id(self.watchers))

    def unwatch(self, watcher: Callable[[object], None]) -> None:
        """Tell somebody no longer."""
        if watcher in self.watchers:
            self.watchers.remove(watcher)
        if not self.watchers:
            JOURNALING.discard(id(self.watchers))

    def forget_watchers(self) -> None:
        """Tell nobody any longer."""
        self.watchers.clear()
        JOURNALING.discard(id(self.watchers))

    def tell(self, owner: object) -> None:
        """An object is about to be written."""
        for watcher in self.watchers:
            watcher(owner)

    def part(self, path: Path, when_over: Callable[[], None]) -> Machine:
        """A machine for a part of this run that goes on from a path, with a journal of its own."""
        result = Machine()
        result.ambient, result.terminals = self.ambient, self.terminals
        result.limits, result.stats = self.limits, self.stats
        result.nested = self.nested
        result.nested.append(when_over)
        result.ranges = self.ranges.copy()
        result.state.path = path
        return result

    def abandon(self) -> None:
        """Undo all writes, and leave everything that is open, however many paths are in it."""
        self.forks.clear()
        self.scopes.clear()
        self.waiting.clear()
        self.closing.clear()
        for layer in reversed(self.layers):
            undo(layer)
        self.layers.clear()
        JOURNALING.discard(id(self))

    def close(self) -> None:
        """The run is over, however it ended."""
        self.forget_watchers()
        while self.nested:
            self.nested.pop()()
        JOURNALING.discard(id(self))
        self.limits.close()

    # --- running ------------------------------------------------------------------------------

    def run(
        self,
        action: Callable[[], Value],
        *,
        context: Guard = True,
        undo: bool = False,
        listener: Listener | None = None,
    ) -> Outcome:
        """Run an action on this machine, on which nothing has run yet, and say what it came to.

        The run starts on the path `context`.  If `undo`, what it has written is taken back before
        this returns, however it ends; the outcome knows it as `effects`.
        """
        outside = MACHINE.get(None)
        _tidy_up(outside)
        unfinished = (threading.get_ident(), self, undo)
        _UNFINISHED.append(unfinished)
        try:
            if listener is not None:
                self.stats.listeners.append(listener)
            self.state.path = Path(None, context)
            layer = self.open_layer() if undo else None
            if undo and (outside is None or not outside.layers):
                # Nobody but the caller sees what this run does, and only when it is over.
                self.base = len(self.layers)
            value, halted = self._perform(action)
            state = self.state
            return Outcome(
                value,
                state.assumes,
                state.asserts,
                halted,
                tuple(state.failures),
                self.stats,
                state.path,
                {} if layer is None else capture((layer,)),
            )
        finally:
            _finish(unfinished)

    def _perform(self, action: Callable[[], Value]) -> tuple[Value, bool]:
        """The result of an action, and whether no path ends normally."""
        value: Value = None
        halted = False
        before = created_terms()
        started, begun = time.perf_counter(), time.thread_time()

        def act() -> None:
            nonlocal value, halted
            with running(self):
                probed = PROBE.enter(RUN)
                try:
                    value = action()
                except (PathEnd, AssumptionError):
                    halted = True
                except BaseException as error:
                    if not is_program_exception(error):
                        raise
                    self.end_path(error)
                    halted = True
                finally:
                    PROBE.leave(probed)
                    self.close()

        with calm_collector():
            with_room(lambda: keep_context(act))
            self.stats.cpu_seconds = time.thread_time() - begun
            self.stats.seconds = time.perf_counter() - started
        self.stats.terms = created_terms() - before
        return value, halted

    @property
    def chooses(self) -> bool:
        """Whether values are chosen where something is not lifted, so that hard questions end."""
        return False

    def concretely(self, name: str, given: Value, action: Callable[[Value], Value]) -> Value:
        """Do what only concrete values allow with some values for symbolic ones, if it may.

        Only a run that follows one path may choose them; `NotImplemented` if this is none.
        """
        return NotImplemented

    def narrow(self, condition: Guard) -> None:
        """Go on only where a condition holds, as if the program had branched on it."""
        for scope in self.scopes:
            scope.lossy = True
        self.state.path = Path(self.state.path, condition)

    def resume(self, scopes: Iterable[Scope]) -> None:
        """Put scopes back on the stack whose frame goes on, such as a generator's."""
        depth = len(self.forks)
        for scope in scopes:
            scope.machine = self
            scope.depth = depth
            scope.path = self.state.path
            self.scopes.append(scope)
            scope.open()

    # --- failing ------------------------------------------------------------------------------

    def fail_if(self, condition: Guard, error: BaseException) -> None:
        """Raise an exception where the condition holds; elsewhere the path goes on."""
        if condition is False:
            return
        if condition is True:
            raise error
        state = self.state
        path = state.path
        state.path = Path(path, condition)
        self.end_path(error, condition)
        state.path = Path(path, not_(condition))

    def fail_on_paths(self, choices: Sequence[Choice]) -> None:
        """Raise each of some exceptions where its condition is the first that holds."""
        for condition, error in choices:
            self.fail_if(condition, error)

    def end_unknown(self, condition: Guard, error: BaseException) -> None:
        """End the paths on which the condition holds: what they would do is not known.

        That is no exception of the program, so that no handler and no `with` may deal with it.
        """
        if condition is False:
            return
        if condition is True and self.ambient:
            raise error
        state = self.state
        path = state.path
        state.path = Path(path, condition)
        for scope in self.scopes:
            scope.lossy = True
        state.refute(True, error, position())
        if condition is True:
            raise PathEnd
        state.path = Path(path, not_(condition))

    def end_path(self, error: BaseException, condition: Guard = True) -> None:
        """The current path (as far as `condition` holds) ends with an exception of the program."""
        inside = _frames_in_generator() if isinstance(error, StopIteration) else None
        for place in range(len(self.scopes) - 1, -1, -1):
            scope = self.scopes[place]
            if inside is not None and scope.frame not in inside:
                error, inside = _of_generator(error), None
            if scope.catching and scope.accepts(error):
                for inner in self.scopes[place + 1 :]:
                    inner.lossy = True
                scope.record_exception(error, condition)
                return
        for scope in self.scopes:
            scope.lossy = True
        if inside is not None:
            error = _of_generator(error)
        self.state.refute(True, error, position_of(error))

    def assume(self, condition: Guard) -> None:
        """Go on only where the condition holds."""
        if condition is True:
            return
        for scope in self.scopes:
            scope.lossy = True
        everywhere = self.state.path is self._learnt or self.state.path.term is True
        self.state.assume(condition)
        if everywhere:
            self.ranges.learn(condition)
            self._learnt = self.state.path
        if condition is False:
            raise AssumptionError("no input satisfies the assumption made here")

    def end_with(self, error: BaseException) -> None:
        """An exception reached the end of a path that is not the only one.

        Returns if that path has now ended; what is not the program's own goes on to the user.
        """
        if type(error) is PathEnd:
            return
        if isinstance(error, AssumptionError):
            return
        if not is_program_exception(error):
            raise error
        self.end_path(error)

    def take_path(self, path: Path, error: BaseException) -> None:
        """An exception leaves what divides paths; outside of any run, what was before goes on.

        A run ends with what is not the program's own.  But whoever called a function directly may
        call another one, which is not on the path on which this one was refused.
        """
        if self.ambient and _is_foreign(error):
            self.state.path = path


def _is_foreign(error: BaseException) -> bool:
    """Whether an exception is certainly not one that the program raised."""
    if isinstance(error, (PathEnd, AssumptionError)):
        return False
    own = (SolventError, MemoryError, RecursionError)
    return isinstance(error, own) or not isinstance(error, Exception)


def _frames_in_generator() -> set[int] | None:
    """The frames of the innermost generator of the program and of what it calls, if it runs."""
    frame: FrameType | None = sys._getframe(2)
    inside: set[int] = set()
    while frame is not None:
        inside.add(id(frame))
        code = frame.f_code
        if code.co_flags & CO_GENERATOR and not is_own(code.co_filename):
            return inside
        frame = frame.f_back
    return None


def _of_generator(error: BaseException) -> BaseException:
    """What Python makes of a `StopIteration` that a generator does not catch."""
    result = RuntimeError("generator raised StopIteration").with_traceback(error.__traceback__)
    result.__cause__ = error
    return result


MACHINE: ContextVar[Machine] = ContextVar("solvent_machine")

_P = ParamSpec("_P")
_R = TypeVar("_R")


def isolated(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function set context variables for its own time only, however it ends.

    The end of a `with` block or a `finally` does not ensure that: Ctrl-C may come just before it.
    """

    @wraps(function)
    def call(*args: _P.args, **named: _P.kwargs) -> _R:
        return copy_context().run(function, *args, **named)

    return call


def keep_context(action: Callable[[], None]) -> None:
    """Run an action in a context of its own; if it ends well, keep what the program has set."""
    context = copy_context()
    context.run(action)
    for variable, value in context.items():
        if variable is not MACHINE and variable is not STATS and variable.get(None) is not value:
            variable.set(value)


# The runs that have not been tidied up: thread, machine, whether their writes are to be undone.
Unfinished = tuple[int, Machine, bool]
_UNFINISHED: list[Unfinished] = []


def _tidy_up(outside: Machine | None) -> None:
    """Do now what Ctrl-C kept earlier runs of this thread from tidying up."""
    if outside is None or outside.ambient:
        for earlier in reversed(_UNFINISHED.copy()):
            if earlier[0] == threading.get_ident():
                _finish(earlier)


def _finish(unfinished: Unfinished) -> None:
    """Tidy up after a run; if an exception ends that, the next run does it again."""
    _, machine, undone = unfinished
    if undone:
        machine.restore()
    machine.close()
    _UNFINISHED.remove(unfinished)


def current() -> Machine:
    """The machine of this thread or task."""
    try:
        return MACHINE.get()
    except LookupError:
        machine = Machine()
        machine.ambient = True
        MACHINE.set(machine)
        STATS.set(machine.stats)
        PROBE.changed()
        return machine


def path_of_run() -> Guard:
    """The path of the lifted program that is running, `True` if none is."""
    machine = MACHINE.get(None)
    if machine is None or (machine.ambient and not machine.forks and not machine.scopes):
        return True
    return machine.state.path.term


def journal_references(owner: object) -> int:
    """How many references to an object the journal of the running machine holds."""
    machine = current()
    identity = id(owner)
    layers: list[Layer] = [*machine.layers, *machine.closing]
    layers += [fork.effects for fork in machine.forks if fork.effects]
    layers += [found.effects for scope in machine.scopes for found in scope.exits]
    kinds = _KINDS.get(type(owner), (ATTRIBUTES,))
    return sum((kind, identity) in layer for layer in layers for kind in kinds)


_KINDS: dict[type, tuple[Kind, ...]] = {
    list: (ITEMS,), dict: (ENTRIES,), set: (MEMBERS,), bytearray: (BYTES,),
}  # fmt: skip
JOURNAL_REFERENCES.append(journal_references)


class running:
    """Run on another machine: `with running(machine): ...`."""

    __slots__ = ("machine", "stats_token", "token")

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def __enter__(self) -> Machine:
        self.token = MACHINE.set(self.machine)
        self.stats_token = STATS.set(self.machine.stats)
        PROBE.changed()
        return self.machine

    def __exit__(self, *exception: object) -> None:
        MACHINE.reset(self.token)
        STATS.reset(self.stats_token)
        PROBE.changed()
