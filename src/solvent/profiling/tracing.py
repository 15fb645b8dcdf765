"""What a run swallowed: exceptions and failed assertions that became "no such path".

A query such as `solve` or `synthesize` looks for inputs with which a program succeeds, so that a
path with an exception is simply none.  If that exception is a bug, of an interpreter say, nobody
hears of it: the query answers that there is no such program.  Here a run tells of each of them,
with the condition of its path and inputs that take it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from solvent.errors import SolventError
from solvent.lift.under_model import evaluate
from solvent.profiling.summary import short
from solvent.queries.asking import make_solver
from solvent.queries.guarding import telling_limits
from solvent.queries.inputs import bind
from solvent.queries.problem import Problem
from solvent.queries.replay import described, plain
from solvent.queries.run import run
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.solvers.status import Status
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.graph import size
from solvent.terms.model import Model
from solvent.vm.exceptions import position_of
from solvent.vm.machine import Machine
from solvent.vm.own import position
from solvent.vm.trying import Leave
from solvent.vm.values import Guard, Value

# How a path was lost.
FAILED = "ended by an exception"
HANDLED = "left to a handler"
ASSUMED = "assumed away"
UNKNOWN = "not followed further"

# Seconds for the example of each.
_PATIENCE = 10.0
# How much of a condition is shown, and of what a symbolic exception says.
_LONGEST = 300
_LONGEST_NAME = 120
# Those that are made of the arguments of an exception.
_TEXTS = (BaseException.__str__, KeyError.__str__)


@dataclass(slots=True)
class _Loss:
    how: str
    what: str
    position: str
    # The conditions of the paths, and what was raised there.
    paths: list[tuple[Guard, BaseException | None]]

    @property
    def conditions(self) -> list[Guard]:
        return [condition for condition, _ in self.paths]


class TracingMachine(Machine):
    """A machine that remembers how its paths were lost; nothing else is different."""

    __slots__ = ("given", "handled", "losses")

    def __init__(self, given: Sequence[Guard] = ()) -> None:
        super().__init__()
        # What the inputs are, which is no assumption of the program.
        self.given = given
        self.losses: dict[tuple[str, str, str], _Loss] = {}
        # By identity, exceptions that came to a `try` statement, and where they were raised.
        self.handled: dict[int, tuple[BaseException, str, Guard]] = {}

    def note(self, how: str, error: BaseException | str, where: str, condition: Guard) -> None:
        """Some inputs of the current path are lost, by an exception or for a reason."""
        raised = None if isinstance(error, str) else error
        what = error if isinstance(error, str) else described(error)
        reached = and_(self.state.path.term, condition)
        if reached is not False:
            known = self.losses.setdefault((how, what, where), _Loss(how, what, where, []))
            known.paths.append((reached, raised))

    def end_path(self, error: BaseException, condition: Guard = True) -> None:
        if isinstance(error, Leave):
            # A `return` on its way through a `finally` clause: nothing is lost.
            super().end_path(error, condition)
            return
        _, where, before = self.handled.get(id(error), (error, position_of(error), False))
        if before is not False:
            # No handler wanted it: it goes on from the `try` statement.
            self.forget((HANDLED, described(error), where), before)
        if any(scope.catching and scope.accepts(error) for scope in self.scopes):
            reached = and_(self.state.path.term, condition)
            self.handled[id(error)] = error, where, reached
            self.note(HANDLED, error, where, condition)
        else:
            self.note(FAILED, error, where, condition)
        super().end_path(error, condition)

    def forget(self, key: tuple[str, str, str], condition: Guard) -> None:
        """Some inputs are lost in another way than was noted."""
        loss = self.losses.get(key)
        if loss is not None:
            loss.paths = [known for known in loss.paths if known[0] is not condition]
            if not loss.paths:
                del self.losses[key]

    def end_unknown(self, condition: Guard, error: BaseException) -> None:
        self.note(UNKNOWN, error, position(), condition)
        super().end_unknown(condition, error)

    def assume(self, condition: Guard) -> None:
        if all(condition is not known for known in self.given):
            self.note(ASSUMED, "an assumption is false", position(), not_(condition))
        super().assume(condition)


@dataclass(frozen=True, slots=True)
class Swallowed:
    """Paths that were lost at one place in one way."""

    how: str
    what: str
    position: str
    # Under which condition, as text and as the term itself, and on how many paths.
    condition: str
    guard: Guard
    paths: int
    status: Status
    # A call that takes such a path, if there is one, and what is raised then if that depends on it.
    call: str = ""
    raised: str = ""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "how": self.how,
            "what": self.what,
            "position": self.position,
            "condition": self.condition,
            "size": size(self.guard),
            "paths": self.paths,
            "status": str(self.status),
            "call": self.call,
            "raised": self.raised,
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        times = "1 path" if self.paths == 1 else f"{self.paths:,} paths"
        what = _cut(self.what, _LONGEST_NAME)
        if what != self.what and self.raised:
            # The example says more than a symbolic text that does not end.
            what = self.what.split(":")[0]
        yield f"{short(self.position)}: {what} ({self.how}, {times})"
        yield f"  where {self.condition}"
        if self.status is Status.SAT:
            yield f"  for example {self.call}" + (f", with {self.raised}" if self.raised else "")
        elif self.status is Status.UNSAT:
            yield "  no input gets there"
        else:
            yield "  whether an input gets there is not known"


@dataclass(frozen=True, slots=True)
class Trace:
    """All that a run swallowed; what can happen comes first."""

    function: str
    swallowed: tuple[Swallowed, ...]

    @property
    def happening(self) -> tuple[Swallowed, ...]:
        """Those for which there is an input."""
        return tuple(one for one in self.swallowed if one.status is Status.SAT)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"function": self.function, "swallowed": [one.as_dict() for one in self.swallowed]}

    def __str__(self) -> str:
        if not self.swallowed:
            return f"{self.function}: no path was lost"
        return "\n".join(map(str, self.swallowed))

    __repr__ = __str__


def trace(
    function: Callable[..., Value],
    /,
    *args: Value,
    bound: int | None = None,
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> Trace:
    """Run a function on symbolic inputs, and say which paths were lost, how and where.

    >>> def step(op: int, stack: list[int]) -> int:
    ...     if op == 0:
    ...         return stack[-1]
    ...     return 0
    >>> print(trace(step, max_len=1))  # doctest: +ELLIPSIS
    <...>:3: IndexError: list index out of range (ended by an exception, 1 path)
      where ...
      for example step(op=0, stack=[])
    """
    with telling_limits(function):
        inputs = bind(plain(function), args, named, max_len, alias)
        machine = TracingMachine(inputs.assumptions)
        found = run(
            function, inputs.args, inputs.named, assumptions=inputs.assumptions, bound=bound,
            machine=machine,
        )  # fmt: skip
    problem = Problem(function, inputs, found)
    spaces = and_(inputs.assumptions)
    limit = _PATIENCE if timeout is None else timeout
    result = [_found(problem, loss, spaces, solver, limit) for loss in machine.losses.values()]
    order = {Status.SAT: 0, Status.UNKNOWN: 1, Status.UNSAT: 2}
    ways = (FAILED, UNKNOWN, HANDLED, ASSUMED)
    result.sort(key=lambda one: (order[one.status], ways.index(one.how)))
    return Trace(problem.name, tuple(result))


def _found(
    problem: Problem, loss: _Loss, spaces: Guard, solver: str | None, limit: float
) -> Swallowed:
    """What there is to say about one way of losing paths."""
    guard = and_(problem.run.context, spaces, or_(loss.conditions))
    status, call, raised = Status.UNSAT, "", ""
    if guard is not False:
        with make_solver(solver, limit) as asked:
            asked.add(guard)
            status = asked.check_for_model()
            if status is Status.SAT:
                model = asked.model()
                raised = _raised(loss, model)
                try:
                    call = problem.call(model)
                except SolventError as error:
                    call = f"(inputs that cannot be written: {error})"
    text = _cut(repr(or_(loss.conditions)), _LONGEST)
    return Swallowed(
        loss.how, loss.what, loss.position, text, guard, len(loss.paths), status, call, raised
    )


def _raised(loss: _Loss, model: Model) -> str:
    """What is raised under a model, if the message depends on the inputs."""
    for condition, error in loss.paths:
        if error is None or type(error).__str__ not in _TEXTS:
            continue
        if evaluate(condition, model) is not True:
            continue
        # The arguments are enough for the text, and no `__init__` is asked for it.
        plain_error = KeyError if isinstance(error, KeyError) else Exception
        text = described(plain_error(*evaluate(error.args, model)))
        text = text.replace(plain_error.__name__, type(error).__name__, 1)
        return "" if text == loss.what else text
    return ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
