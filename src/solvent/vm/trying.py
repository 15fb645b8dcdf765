"""`try` statements: exceptions that only some paths raise.

While the body runs, a path that raises is recorded as an exit of the `TryScope` and ends.  When the
body is done, the statement goes through *phases*: one for each class of exception that was raised,
in which the handlers run under the paths that raised it, and at last one for the paths that raised
nothing.  The results of the phases are merged.

`finally` clauses work the same way: `return`, `break` and `continue` inside the protected body are
raised as a `Leave`, which the phases do again after the clause ran.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

from solvent.errors import AssumptionError, SolventError
from solvent.terms.booleans import and_, not_, or_
from solvent.vm.exceptions import is_program_exception
from solvent.vm.journal import Effects, apply, blend, capture, undo
from solvent.vm.machine import current
from solvent.vm.merge import merge
from solvent.vm.owned import merge_entries
from solvent.vm.scopes import Exit, Scope, merge_values
from solvent.vm.slots import UNBOUND
from solvent.vm.state import Path, PathEnd
from solvent.vm.values import Guard, Value, Values


class Leave(BaseException):
    """A `return`, `break` or `continue` on its way through a `finally` clause."""

    def __init__(self, how: str, value: Value = None) -> None:
        super().__init__(how)
        self.how = how
        self.value = value


# How paths get out of a statement: at its end or with an exception, or by one of these.
WAYS = ("end", "return", "break", "continue")


def left(error: BaseException | None) -> tuple[int, Value, Value]:
    """How a group of paths left a statement; slots with what it returns, and what it raises.

    >>> left(Leave("return", 5))
    (1, 5, <None if False>)
    """
    if type(error) is Leave:
        return WAYS.index(error.how), error.value if error.how == "return" else UNBOUND, UNBOUND
    return 0, UNBOUND, UNBOUND if error is None else error


class Phase:
    """A division by the exception that was raised: the paths of a group of them go on first."""

    __slots__ = ("code", "effects", "frame", "side")

    def __init__(self, side: Guard) -> None:
        self.side = side
        # The handlers are part of the function that runs, and count as no branch of it.
        self.code: CodeType | None = None
        self.frame: int | None = None
        self.effects: Effects | None = None


class Raised:
    """The paths that raised exceptions of one class."""

    __slots__ = ("errors", "exits")

    def __init__(self) -> None:
        self.exits: list[Exit] = []
        self.errors: list[BaseException] = []


class TryScope(Scope):
    """A `try` statement of a lifted function.

    The lifted function calls `begin` when the body is done, and `next` after each phase until
    `done`; `error` is the exception that the phase handles, if any.  If all paths agree, there is a
    `single` phase, and the statement works like Python's own.
    """

    __slots__ = (
        "body", "dead", "done", "error", "errors", "final", "groups", "names", "normal", "phase",
        "single",
    )  # fmt: skip

    def __init__(self, names: tuple[str, ...], final: bool = False) -> None:
        machine = current()
        self.machine = machine
        machine.scopes.append(self)
        self.depth = len(machine.forks)
        self.exits = []
        self.rest = True
        self.errors: list[BaseException] = []
        self.path = machine.state.path
        self.lossy = False
        self.tests = self.left = 0
        self.catching = True
        self.names = names
        frame = sys._getframe(1)
        self.code, self.frame = frame.f_code, id(frame)
        # The variables are read here when an exception comes from a function that was called.
        self.body: FrameType | None = frame
        # Whether this is a `finally` clause, through which `return` and the like go too.
        self.final = final
        self.groups: list[Raised] = []
        self.normal: tuple[Values, Effects, Path] | None = None
        self.phase: Phase | None = None
        self.error: BaseException | None = None
        self.single = self.done = self.dead = False
        self.open()

    def drop(self) -> None:
        """The only path leaves the statement by `return`, `break` or `continue`."""
        if self in self.machine.scopes:
            self._shut()

    def accepts(self, error: BaseException) -> bool:
        """Whether this statement deals with an exception."""
        if type(error) is Leave:
            return self.final
        return self.catching and is_program_exception(error)

    def record_exception(self, error: BaseException, condition: Guard = True) -> None:
        """The current path (as far as `condition` holds) raised an exception."""
        assert self.body is not None
        self.machine.give_layers()
        variables = self.body.f_locals
        self.record(tuple([variables.get(name, UNBOUND) for name in self.names]), condition)
        self.errors.append(error)

    def others(self) -> bool:
        return bool(self.exits or self.groups or self.normal)

    # --- phases -------------------------------------------------------------------------------

    def begin(self, error: BaseException | None, values: Values) -> Values:
        """The body is done: the variables for the first phase."""
        machine = self.machine
        dead = isinstance(error, (PathEnd, AssumptionError))
        if error is not None and not self.exits and (dead or not self._handles(error)):
            self._shut()
            raise error
        if not self.exits:
            self._shut()
            self.error = error
            self.single = True
            return values
        self._settle()
        if error is not None and not dead:
            dead = True
            if self.accepts(error):
                self.record_exception(error)
            else:
                self._pass_on(error)
        self.catching = False
        self.body = None
        if not dead:
            self.normal = (values, capture(machine.layers[self.level :]), machine.state.path)
        self._form_groups()
        return self._start_phase()

    def _pass_on(self, error: BaseException) -> None:
        """The current path leaves through this statement, while others wait for it."""
        self.catching = False
        try:
            self.machine.end_with(error)
        except BaseException:
            self._shut()
            self.machine.take_path(self.path, error)
            raise

    def _handles(self, error: BaseException) -> bool:
        if self.accepts(error):
            return True
        # As in plain Python, unless the exception would end one path out of several.
        plain = not isinstance(error, (SolventError, Leave)) and not self.machine.layers
        return plain and not self.exits

    def _form_groups(self) -> None:
        groups: dict[tuple[type, object], Raised] = {}
        for found, error in zip(self.exits, self.errors, strict=True):
            cls = type(error)
            key: tuple[type, object] = (cls, id(error))
            if cls is Leave:
                key = (Leave, error.args)
            elif cls.__basicsize__ == BaseException.__basicsize__:
                key = (cls, len(error.args))
            group = groups.setdefault(key, Raised())
            group.exits.append(found)
            group.errors.append(error)
        self.groups = list(groups.values())
        self.exits, self.errors, self.rest = [], [], True

    def _start_phase(self) -> Values:
        machine = self.machine
        layer = machine.layers[-1]
        undo(layer)
        if not self.groups:
            assert self.normal is not None
            values, effects, machine.state.path = self.normal
            self.normal = None
            self.error = None
            apply(effects, layer)
            return values
        group = self.groups.pop(0)
        exits, errors = group.exits, group.errors
        exact = or_([found.path.since(self.path) for found in exits])
        last = exits.pop()
        values, error = last.values, errors.pop()
        apply(last.effects, layer)
        while exits:
            found = exits.pop()
            guard, earlier = found.guard, errors.pop()
            if guard is True:
                undo(layer)
                apply(found.effects, layer)
                values, error = found.values, earlier
            elif guard is not False:
                blend(guard, found.effects, layer)
                values = merge_values(guard, found.values, values, None)
                error = merge_errors(guard, earlier, error)
        machine.state.path = Path(self.path, exact)
        if self.groups or self.normal is not None:
            self.phase = Phase(exact)
            machine.forks.append(self.phase)
        self.error = error
        return values

    def end(self, error: BaseException) -> None:
        """A phase ended with an exception."""
        if self.single:
            raise error
        machine = self.machine
        while machine.scopes[-1] is not self:
            machine.scopes.pop()
        machine.stop_waiting()
        del machine.forks[self.depth + (self.phase is not None) :]
        while len(machine.layers) > self.level + 1:
            machine.drop_layer()
        try:
            machine.end_with(error)
        except BaseException:
            machine.close_layer(self.close())
            machine.take_path(self.path, error)
            raise
        self.dead = True

    def next(self, values: Values) -> Values:
        """A phase is done: the variables for the next, or the merged ones after the last."""
        machine = self.machine
        phase, dead = self.phase, self.dead
        self.phase, self.dead = None, False
        if phase is not None:
            machine.forks.pop()
        if self.groups or self.normal is not None:
            if not dead:
                assert phase is not None
                effects = capture(machine.layers[self.level :])
                self.exits.append(Exit(phase.side, values, effects, machine.state.path))
                self.rest = and_(self.rest, not_(phase.side))
            return self._start_phase()
        self.done = True
        if not dead:
            return self.finish(values)
        layer = self.close()
        if self.exits:
            return self._revive(layer)
        machine.close_layer(layer)
        raise PathEnd

    def _shut(self) -> None:
        """Take the scope off the stacks; its writes stay."""
        self.body = None
        self.catching = False
        self.machine.close_layer(self.close())


def merge_errors(c: Guard, a: BaseException, b: BaseException) -> BaseException:
    """The exception that is `a` where `c` holds and `b` elsewhere, both of one class."""
    if a is b:
        return a
    if type(a) is Leave:
        assert type(b) is Leave
        return Leave(a.how, merge(c, a.value, b.value))
    arguments = merge(c, a.args, b.args)
    result = type(a).__new__(type(a), *arguments)
    result.args = arguments
    attributes = merge_entries(c, a.__dict__, b.__dict__)
    result.__dict__.update(attributes)
    result.__traceback__, result.__cause__ = a.__traceback__, a.__cause__
    result.__context__, result.__suppress_context__ = a.__context__, a.__suppress_context__
    return result
