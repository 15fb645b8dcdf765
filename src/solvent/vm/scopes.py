"""Scopes: regions that paths may leave early, and the merging of the paths that did.

A path that leaves while others go on is recorded as an *exit* and ends; the others go on under a
narrower path and with values as concrete as before.  At the end of the scope the exits are merged.
They are an ordered choice, like the members of a union: an exit needs no guard that excludes those
before it.
"""

from __future__ import annotations

import sys

from solvent.terms.booleans import and_, not_
from solvent.vm.journal import Effects, Layer, apply, blend, capture, undo
from solvent.vm.machine import current
from solvent.vm.owned import AT_EXIT, merge_owned
from solvent.vm.state import Path, PathEnd, on_one_of
from solvent.vm.values import Guard, Values


class Exit:
    """A path that left a scope early."""

    __slots__ = ("effects", "guard", "path", "values")

    def __init__(self, guard: Guard, values: Values, effects: Effects, path: Path) -> None:
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
        self.rest: Guard = True
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

    def record_exception(self, error: BaseException, condition: Guard = True) -> None:
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

    def guard(self) -> Guard:
        """Under which decisions since the scope was entered the program is where it is.

        Paths that left to this scope before need not be excluded: their exits come first.  Those
        that left to a scope inside of it do, since they will go on after this one.
        """
        machine = self.machine
        result: Guard = True
        for fork in machine.forks[self.depth :]:
            result = and_(result, fork.side)
        for scope in reversed(machine.scopes):
            if scope is self:
                break
            result = and_(result, scope.rest)
        return result

    def record(self, values: Values, condition: Guard = True) -> None:
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
        raise PathEnd

    def give(self, values: Values) -> Values:
        """The current path returns a result: the merged result, if all other paths are done."""
        if self.is_only_path():
            return self._merge(self.close(), values, None)
        self.record(values)
        raise PathEnd

    def leave_if(self, condition: Guard, values: Values) -> None:
        """The current path leaves where the condition holds and goes on elsewhere."""
        limits = self.machine.limits
        if limits.directed:
            condition = limits.settle(self.machine, condition)
            if condition is True:
                self.record(values)
                raise PathEnd
            if condition is False:
                return
        self.machine.stats.forks += 1
        state = self.machine.state
        path = state.path
        state.path = Path(path, condition)
        self.record(values, condition)
        state.path = Path(path, not_(condition))

    def close(self) -> Layer:
        """Take the scope off the stacks; what is in its layer has yet to be committed."""
        machine = self.machine
        scopes = machine.scopes
        # Nearly always it is the last one: comparing with all others costs more than the rest.
        if not scopes or (scopes[-1] is not self and self not in scopes):
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
            machine.drop_layer()
        layer = layers[-1]
        machine.closing.append(layer)
        layers.pop()
        return layer

    def finish(self, values: Values) -> Values:
        """All paths are done, the current one with these local variables: merge."""
        return self._merge(self.close(), values, values)

    def escape(self, error: BaseException) -> Values:
        """An exception reached the end of the scope: the values of the other paths, if any."""
        machine = self.machine
        if not self.exits:
            machine.close_layer(self.close())
            machine.take_path(self.path, error)
            raise error
        self._settle()
        try:
            machine.end_with(error)
        except BaseException:
            machine.close_layer(self.close())
            machine.take_path(self.path, error)
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
            machine.drop_layer()

    def _revive(self, layer: Layer) -> Values:
        """The current path is dead: go on with the last exit in its place."""
        undo(layer)
        last = self.exits.pop()
        try:
            apply(last.effects, layer)
        except BaseException:
            self.machine.take_back(layer)
            raise
        self.machine.state.path = last.path
        return self._merge(layer, last.values, None)

    def _merge(self, layer: Layer, values: Values, frame: Values | None) -> Values:
        try:
            return self._merged(layer, values, frame)
        except BaseException:
            self.machine.take_back(layer)
            raise

    def _merged(self, layer: Layer, values: Values, frame: Values | None) -> Values:
        machine = self.machine
        exits = self.exits
        if exits:
            state = machine.state
            if self.lossy:
                alive = on_one_of([*(found.path for found in exits), state.path], self.path)
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
        machine.close_layer(layer)
        return values

    # --- loops --------------------------------------------------------------------------------

    def test(self, condition: Guard, values: Values) -> bool:
        """A symbolic test of a `while` loop: paths where it is false leave; may others go on?"""
        self.tests += 1
        if not self.machine.limits.may_go_on(self.machine, self.tests, condition):
            return False
        self.leave_if(not_(condition), values)
        return True

    def item(self, guard: Guard, values: Values) -> None:
        """An item of a `for` loop that is only there under a guard: other paths leave."""
        self.leave_if(not_(guard), values)


def merge_values(c: Guard, first: Values, second: Values, frame: Values | None) -> Values:
    """Merge two tuples of values; those in `frame` are held by variables of the program as well."""
    merged = []
    for place in range(len(second)):
        a = first[place]
        b = second[place]
        if a is not b:
            held = AT_EXIT
            if frame is not None and b is frame[place]:
                held += 1 if second is frame else 2
            a = merge_owned(c, a, b, AT_EXIT, held)
        merged.append(a)
    return tuple(merged)
