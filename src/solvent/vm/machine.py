"""The machine: forks and joins, scopes that paths leave early, and the journal of writes.

A *fork* runs the two sides of a symbolic branch one after the other: `flip` undoes what the first
side wrote, `join` merges what the sides wrote and the local variables that they assigned.

A *scope* is a region that paths may leave early: a function (by `return`), a loop (by `break` or a
symbolic test), one iteration (by `continue`), a `try` statement (by an exception).  A path that
leaves while others go on is recorded as an *exit* and ends; the others go on under a narrower path
and with values as concrete as before.  At the end of the scope the exits are merged.  The exits
are an ordered choice, like the members of a union: an exit needs no guard that excludes those
before it.

A path that ends raises `PathEnd`, which the innermost fork or scope with a living path catches.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar
from types import CodeType
from typing import Any

from solvent.errors import AssumptionError, SolventError
from solvent.terms.booleans import NOT, and_, ite, not_, or_
from solvent.terms.booleans import _not as negated
from solvent.vm.journal import (
    Effects,
    Layer,
    apply,
    blend,
    capture,
    commit,
    note_old,
    note_slot,
    note_whole,
    undo,
)
from solvent.vm.limits import OWN_FILES, Limits, position
from solvent.vm.merge import PRIMITIVE, choice
from solvent.vm.owned import JOURNAL_REFERENCES, merge_owned
from solvent.vm.places import ATTRIBUTES, ENTRIES, ITEMS, MEMBERS, Kind
from solvent.vm.report import STATS, Stats
from solvent.vm.state import Path, State


class PathEnd(BaseException):
    """The path that was being executed has ended; others may go on."""


PATH_END = PathEnd()

Values = tuple[Any, ...]


def is_program_exception(error: BaseException) -> bool:
    """Whether the program under test raised this, rather than Solvent or the user."""
    if isinstance(error, (SolventError, PathEnd, KeyboardInterrupt, MemoryError, RecursionError)):
        return getattr(error, "of_program", False)
    return True


# All layers that are open on any machine: as long as it is empty, no write needs to be journaled.
JOURNALING: set[int] = set()


class Machine:
    """One symbolic run: its state, its open forks and scopes, its journal."""

    __slots__ = (
        "closing",
        "forks",
        "layers",
        "limits",
        "scopes",
        "state",
        "stats",
        "waiting",
    )

    def __init__(self) -> None:
        self.state = State()
        self.forks: list[Fork] = []
        self.scopes: list[Scope] = []
        self.layers: list[Layer] = []
        # Scopes of `try` statements that need a layer as soon as paths differ.
        self.waiting: list[Scope] = []
        self.stats = Stats()
        self.limits = Limits()
        # Layers that are off the stack but not committed yet.
        self.closing: list[Layer] = []

    def recursion(self, code: CodeType) -> int:
        """How many calls of one function have open forks or scopes."""
        frames = {fork.frame for fork in self.forks if fork.code is code}
        frames.update(scope.frame for scope in self.scopes if scope.code is code)
        return len(frames)

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

    def write_slot(self, kind: Kind, owner: Any, slot: Any) -> None:
        """Called before a slot is written."""
        if self.layers:
            note_slot(self.layers[-1], kind, owner, slot)

    def wrote_slot(self, kind: Kind, owner: Any, slot: Any, old: Any) -> None:
        """Called after a slot was written that held something else before."""
        if self.layers:
            note_old(self.layers[-1], kind, owner, slot, old)

    def write_whole(self, kind: Kind, owner: Any) -> None:
        """Called before the length or the order of contents changes."""
        if self.layers:
            note_whole(self.layers[-1], kind, owner)

    def close(self) -> None:
        """The run is over, however it ended."""
        JOURNALING.discard(id(self))
        self.limits.close()

    # --- failing ------------------------------------------------------------------------------

    def fail_if(self, condition: Any, error: BaseException) -> None:
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

    def end_path(self, error: BaseException, condition: Any = True) -> None:
        """The current path (as far as `condition` holds) ends with an exception of the program."""
        for place in range(len(self.scopes) - 1, -1, -1):
            scope = self.scopes[place]
            if scope.catching and scope.accepts(error):
                for inner in self.scopes[place + 1 :]:
                    inner.lossy = True
                scope.record_exception(error, condition)
                return
        for scope in self.scopes:
            scope.lossy = True
        self.state.refute(True, error, position_of(error))

    def assume(self, condition: Any) -> None:
        """Go on only where the condition holds."""
        if condition is True:
            return
        for scope in self.scopes:
            scope.lossy = True
        self.state.assume(condition)
        if condition is False:
            raise AssumptionError("no input satisfies the assumption made here")

    def caught(self, error: BaseException) -> None:
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


_MACHINE: ContextVar[Machine] = ContextVar("solvent_machine")


def current() -> Machine:
    """The machine of this thread or task."""
    try:
        return _MACHINE.get()
    except LookupError:
        machine = Machine()
        _MACHINE.set(machine)
        STATS.set(machine.stats)
        return machine


def journal_references(owner: Any) -> int:
    """How many references to an object the journal of the running machine holds."""
    machine = current()
    identity = id(owner)
    layers: list[Layer] = [*machine.layers, *machine.closing]
    layers += [fork.effects for fork in machine.forks if fork.effects]
    layers += [found.effects for scope in machine.scopes for found in scope.exits]
    kinds = _KINDS.get(type(owner), (ATTRIBUTES,))
    return sum((kind, identity) in layer for layer in layers for kind in kinds)


_KINDS: dict[type, tuple[Kind, ...]] = {list: (ITEMS,), dict: (ENTRIES,), set: (MEMBERS,)}
JOURNAL_REFERENCES.append(journal_references)


class running:
    """Run on another machine: `with running(machine): ...`."""

    __slots__ = ("machine", "stats_token", "token")

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def __enter__(self) -> Machine:
        self.token = _MACHINE.set(self.machine)
        self.stats_token = STATS.set(self.machine.stats)
        return self.machine

    def __exit__(self, *exception: object) -> None:
        _MACHINE.reset(self.token)
        STATS.reset(self.stats_token)


def position_of(error: BaseException) -> str:
    """File and line where an exception was raised, outside of Solvent itself."""
    found = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.startswith(OWN_FILES):
            found = f"{code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    if found:
        return found
    return position()


# --- forks ----------------------------------------------------------------------------------------

# References to a local variable's value that nothing else refers to, as `merge_owned` counts them
# when `join` calls it: on the first side the tuple of its values, the variable here, the
# parameter, the argument; on the second also the variable of the lifted function.
_FIRST_REFERENCES = 4
_SECOND_REFERENCES = 5


class Fork:
    """Both sides of a symbolic branch."""

    __slots__ = (
        "code", "condition", "dead", "effects", "first", "first_path", "first_start", "frame",
        "layer", "machine", "path", "saved", "scopes", "side",
    )  # fmt: skip

    def __init__(self, condition: Any, saved: Values) -> None:
        try:
            machine = _MACHINE.get()
        except LookupError:
            machine = current()
        self.machine = machine
        if machine.waiting:
            machine.give_layers()
        layers = machine.layers
        if not layers:
            JOURNALING.add(id(machine))
        self.layer: Layer = {}
        layers.append(self.layer)
        self.effects: Effects | None = None
        # `side` is the condition of the side that runs now.
        self.condition = self.side = condition
        self.saved: Values | None = saved
        self.scopes = len(machine.scopes)
        frame = sys._getframe(1)
        self.code, self.frame = frame.f_code, id(frame)
        machine.forks.append(self)
        state = machine.state
        self.path = path = state.path
        self.first_start = state.path = Path(path, condition)
        self.dead = False

    def end(self, error: BaseException) -> None:
        """The side that runs has ended with an exception."""
        machine = self.machine
        self.settle()
        try:
            machine.caught(error)
        except BaseException:
            machine.forks.pop()
            machine.close_layer(machine.layers.pop())
            raise
        self.dead = True

    def settle(self) -> None:
        """Close what an exception left open above this fork."""
        machine = self.machine
        forks = machine.forks
        while forks[-1] is not self:
            forks.pop()
        if len(machine.scopes) > self.scopes:
            del machine.scopes[self.scopes :]
            machine.stop_waiting()
        while machine.layers[-1] is not self.layer:
            machine.close_layer(machine.layers.pop())

    def flip(self, values: Values) -> Values:
        """The first side is done; the local variables for the second."""
        state = self.machine.state
        layer = self.layer
        self.effects = None
        self.first: Values | None = None
        if not self.dead:
            self.first = values
            if layer:
                self.effects = capture((layer,))
        if layer:
            undo(layer)
        self.first_path = state.path
        condition = self.condition
        self.side = side = condition.key[1] if condition.op is NOT else negated(condition)
        state.path = Path(self.path, side)
        saved = self.saved
        self.saved = None
        self.dead = False
        assert saved is not None
        return saved

    def join(self, values: Values) -> Values:
        """The second side is done too; the merged local variables."""
        machine = self.machine
        machine.forks.pop()
        layers = machine.layers
        layer = layers.pop()
        state = machine.state
        first = self.first
        effects = self.effects
        if self.dead:
            undo(layer)
            if first is None:
                machine.close_layer(layer)
                raise PATH_END
            if effects:
                apply(effects, layer)
            machine.close_layer(layer)
            state.path = self.first_path
            return first
        if first is None:
            machine.close_layer(layer)
            return values
        stats = machine.stats
        stats.joins += 1
        if stats.listeners:
            stats.tell("join", None)
        c = self.condition
        if layer or effects:
            blend(c, effects or {}, layer)
            # What the journal holds on to must not look like an alias below.
            self.effects = effects = None
            self.layer = {}
            machine.close_layer(layer)
            layer = {}
        elif not layers:
            JOURNALING.discard(id(machine))
        path = self.path
        if state.path.parent is path and self.first_path is self.first_start:
            state.path = path
        else:
            self._narrow(state, c)
        if not values:
            return values
        # A choice by a negation is the other choice by what it negates.
        swapped = c.op is NOT
        if swapped:
            c = c.key[1]
        merged = []
        for place in range(len(values)):
            a = first[place]
            b = values[place]
            if a is not b:
                sort = PRIMITIVE.get(type(a))
                if sort is not None and sort is PRIMITIVE.get(type(b)):
                    a = choice(sort, c, b, a) if swapped else choice(sort, c, a, b)
                elif swapped:
                    a = merge_owned(c, b, a, _SECOND_REFERENCES, _FIRST_REFERENCES)
                else:
                    a = merge_owned(c, a, b, _FIRST_REFERENCES, _SECOND_REFERENCES)
            merged.append(a)
        return tuple(merged)

    def _narrow(self, state: State, c: Any) -> None:
        """Models were lost on one of the sides: the path after the join."""
        start = state.path
        while start.parent is not self.path:
            assert start.parent is not None
            start = start.parent
        inside = ite(c, self.first_path.since(self.first_start), state.path.since(start))
        state.path = self.path if inside is True else Path(self.path, inside)


class Chain:
    """Forks one inside the other, each on the second side of the one before: `elif`, unions."""

    __slots__ = ("done", "flipped", "forks")

    def __init__(self) -> None:
        self.forks: list[Fork] = []
        # Whether the innermost fork runs its second side.
        self.flipped = True
        self.done = False

    def fork(self, condition: Any, saved: Values) -> None:
        """Decide once more, where all conditions before were false."""
        self.forks.append(Fork(condition, saved))
        self.flipped = False

    def end(self, error: BaseException) -> None:
        """The side that runs has ended with an exception."""
        self.forks[-1].end(error)

    def next(self, values: Values) -> Values:
        """A side is done: the variables for the next, or the merged ones after the last."""
        if not self.flipped:
            self.flipped = True
            return self.forks[-1].flip(values)
        self.done = True
        forks = self.forks
        while forks:
            try:
                values = forks.pop().join(values)
            except PathEnd:
                if not forks:
                    raise
                forks[-1].dead = True
        return values


def chain(known: Chain | None, condition: Any, saved: Values) -> Chain:
    """Decide in an `if` statement with several arms."""
    result = Chain() if known is None else known
    result.fork(condition, saved)
    return result


# --- scopes ---------------------------------------------------------------------------------------


class Exit:
    """A path that left a scope early."""

    __slots__ = ("effects", "guard", "path", "values")

    def __init__(self, guard: Any, values: Values, effects: Effects, path: Path) -> None:
        self.guard = guard
        self.values = values
        self.effects = effects
        self.path = path


class Scope:
    """A region that paths may leave early: a function, a loop, an iteration."""

    __slots__ = (
        "catching", "code", "depth", "exits", "frame", "left", "level", "lossy", "machine",
        "path", "rest", "tests",
    )  # fmt: skip

    def __init__(self) -> None:
        machine = current()
        self.machine = machine
        machine.scopes.append(self)
        # What opened the scope, to tell how deep a recursion is.
        frame = sys._getframe(1)
        self.code, self.frame = frame.f_code, id(frame)
        self.depth = len(machine.forks)
        self.exits: list[Exit] = []
        # The condition under which no path has left yet.
        self.rest: Any = True
        self.path = machine.state.path
        # Whether models were lost to failures or to an outer scope.
        self.lossy = False
        # How many symbolic tests a loop made, and how many paths left.
        self.tests = self.left = 0
        # Whether exceptions are recorded here.
        self.catching = False
        self.open()

    def others(self) -> bool:
        """Whether paths are waiting for the scope to end."""
        return bool(self.exits)

    def accepts(self, error: BaseException) -> bool:
        """Whether the scope deals with an exception."""
        return False

    def record_exception(self, error: BaseException, condition: Any = True) -> None:
        """The current path (as far as `condition` holds) raised an exception."""
        raise NotImplementedError

    def open(self) -> None:
        """Open the layer in which the writes of all paths of the scope are remembered.

        As long as there is only one path, nothing has to be remembered: the scope waits.
        """
        machine = self.machine
        if machine.layers:
            machine.open_layer()
            self.level = len(machine.layers) - 1
        else:
            self.level = -1
            machine.waiting.append(self)

    def guard(self) -> Any:
        """Under which decisions since the scope was entered the program is where it is.

        Paths that left to this scope before need not be excluded: their exits come first.  Those
        that left to a scope inside of it do, since they will go on after this one.
        """
        machine = self.machine
        result: Any = True
        for fork in machine.forks[self.depth :]:
            result = and_(result, fork.side)
        for scope in reversed(machine.scopes):
            if scope is self:
                break
            result = and_(result, scope.rest)
        return result

    def record(self, values: Values, condition: Any = True) -> None:
        """Note that the current path (as far as `condition` holds) leaves with these values."""
        machine = self.machine
        machine.give_layers()
        guard = and_(self.guard(), condition)
        effects = capture(machine.layers[self.level :])
        self.exits.append(Exit(guard, values, effects, machine.state.path))
        self.rest = and_(self.rest, not_(guard))
        self.left += 1
        for scope in reversed(machine.scopes):
            if scope is self:
                break
            scope.lossy = True

    def is_only_path(self) -> bool:
        """Whether no other path of the scope is waiting for this one to end."""
        machine = self.machine
        if len(machine.forks) > self.depth:
            return False
        for scope in reversed(machine.scopes):
            if scope is self:
                return True
            if scope.others():
                return False
        raise AssertionError("a scope that is not open")

    def leave(self, values: Values) -> Values:
        """The current path leaves a loop: the merged variables, if all other paths are done."""
        if self.is_only_path():
            return self.finish(values)
        self.record(values)
        raise PATH_END

    def give(self, values: Values) -> Values:
        """The current path returns a result: the merged result, if all other paths are done."""
        if self.is_only_path():
            return self._merge(self.close(), values, None)
        self.record(values)
        raise PATH_END

    def leave_if(self, condition: Any, values: Values) -> None:
        """The current path leaves where the condition holds and goes on elsewhere."""
        state = self.machine.state
        path = state.path
        state.path = Path(path, condition)
        self.record(values, condition)
        state.path = Path(path, not_(condition))

    def close(self) -> Layer:
        """Take the scope off the stacks; what is in its layer has yet to be committed."""
        machine = self.machine
        scopes = machine.scopes
        if self not in scopes:
            # The scope of a generator that is closed while it waits.
            return {}
        while scopes.pop() is not self:
            pass
        machine.stop_waiting()
        del machine.forks[self.depth :]
        layers = machine.layers
        if self.level < 0:
            return {}
        while len(layers) > self.level + 1:
            machine.close_layer(layers.pop())
        return layers.pop()

    def finish(self, values: Values) -> Values:
        """All paths are done, the current one with these local variables: merge."""
        return self._merge(self.close(), values, values)

    def escape(self, error: BaseException) -> Values:
        """An exception reached the end of the scope: the values of the other paths, if any."""
        machine = self.machine
        if not self.exits:
            machine.close_layer(self.close())
            raise error
        self._settle()
        try:
            machine.caught(error)
        except BaseException:
            machine.close_layer(self.close())
            raise
        return self._revive(self.close())

    def _settle(self) -> None:
        """Close forks, scopes and layers that an exception left open inside the scope."""
        machine = self.machine
        while machine.scopes[-1] is not self:
            machine.scopes.pop()
        machine.stop_waiting()
        del machine.forks[self.depth :]
        while len(machine.layers) > self.level + 1:
            machine.close_layer(machine.layers.pop())

    def _revive(self, layer: Layer) -> Values:
        """The current path is dead: go on with the last exit in its place."""
        undo(layer)
        last = self.exits.pop()
        apply(last.effects, layer)
        self.machine.state.path = last.path
        return self._merge(layer, last.values, None)

    def _merge(self, layer: Layer, values: Values, frame: Values | None) -> Values:
        machine = self.machine
        exits = self.exits
        if exits:
            machine.closing.append(layer)
            state = machine.state
            if self.lossy:
                alive = state.path.since(self.path)
                for found in exits:
                    alive = or_(alive, found.path.since(self.path))
                state.path = self.path if alive is True else Path(self.path, alive)
            else:
                state.path = self.path
            while exits:
                found = exits.pop()
                guard = found.guard
                if guard is False:
                    continue
                if guard is True:
                    undo(layer)
                    apply(found.effects, layer)
                    values = found.values
                    continue
                machine.stats.joined()
                blend(guard, found.effects, layer)
                found.effects = {}
                values = merge_values(guard, found.values, values, frame)
                del found
            machine.closing.pop()
        machine.close_layer(layer)
        return values

    # --- loops --------------------------------------------------------------------------------

    def test(self, condition: Any, values: Values) -> bool:
        """A symbolic test of a `while` loop: paths where it is false leave; may others go on?"""
        self.tests += 1
        if not self.machine.limits.may_go_on(self.machine, self.tests, condition):
            return False
        self.leave_if(not_(condition), values)
        return True

    def item(self, guard: Any, values: Values) -> None:
        """An item of a `for` loop that is only there under a guard: other paths leave."""
        self.leave_if(not_(guard), values)


# References to a value that nothing else refers to, as `merge_owned` counts them when
# `merge_values` calls it: its tuple, the variable here, the parameter, the argument.
_EXIT_REFERENCES = 4


def merge_values(c: Any, first: Values, second: Values, frame: Values | None) -> Values:
    """Merge two tuples of values; those in `frame` are held by variables of the program as well."""
    merged = []
    for place in range(len(second)):
        a = first[place]
        b = second[place]
        if a is not b:
            held = _EXIT_REFERENCES
            if frame is not None and b is frame[place]:
                held += 1 if second is frame else 2
            a = merge_owned(c, a, b, _EXIT_REFERENCES, held)
        merged.append(a)
    return tuple(merged)
