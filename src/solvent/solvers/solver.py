"""The solver that everybody uses: assertions, checks, models, cores, objectives."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Self, TypeAlias, TypeVar

from solvent.errors import NoModelError, SolverError, UnsupportedError
from solvent.solvers.choose import Spec, choose, memory_size, parse_spec, settings, time_limit
from solvent.solvers.context import Backend, Context, Frame, ModelParts
from solvent.solvers.encode import Encoder, decode_value
from solvent.solvers.narrowing import NarrowingContext
from solvent.solvers.questions import QUESTION_WATCHER, Question
from solvent.solvers.remembered import Remembering
from solvent.solvers.rows import Figures
from solvent.solvers.status import Checked, Status
from solvent.terms.graph import applied_functions, constants
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Constant, Model
from solvent.terms.sorts import Bool
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue

MEGABYTE = 1 << 20

# A formula, or formulas one after the other.
Formulas: TypeAlias = "Guard | Sequence[Formulas]"
ResultT = TypeVar("ResultT")


class Solver:
    """A stack of assertions and the questions about it.

    Without a name the solver is chosen by the theories of the assertions.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> with Solver() as solver:
    ...     solver.add(x + y == 10, x > y, y > 3)
    ...     print(solver.check(), solver.model())
    sat x = 6
    y = 4
    """

    def __init__(
        self,
        solver: str | None = None,
        *,
        timeout: float | None = None,
        memory_limit: int | None = None,
        abstract: bool = False,
    ) -> None:
        """With `abstract`, what classes of characters mean is left out: `unsat` is right then, and
        a model need not be one."""
        self._abstract = abstract
        defaults = settings()
        name = solver or defaults.solver or "auto"
        self._start(
            None if name == "auto" else [parse_spec(name)],
            timeout if timeout is not None else defaults.timeout,
            memory_limit if memory_limit is not None else defaults.memory_limit,
        )

    def _start(
        self, specs: Sequence[Spec] | None, timeout: float | None, memory: int | None
    ) -> None:
        self.timeout = None if timeout is None else time_limit(timeout)
        self._frames = [Frame()]
        size = 0 if memory is None else memory_size(memory) * MEGABYTE
        self._backend = _backend(specs, size, self._abstract)
        # It is asked by way of what remembers its answers.
        self._asked = _remembering(self._backend, specs, self._abstract)
        self._finalizer = weakref.finalize(self, self._asked.close)
        self._assumptions: tuple[Guard, ...] = ()
        self._checked: Checked | None = None
        self._model: Model | None = None
        self._interrupted = False
        self._checks = 0
        self._seconds = 0.0

    @classmethod
    def for_query(cls, terms: Iterable[Operand], *, timeout: float | None = None) -> Self:
        """The solver that suits some terms, which are not asserted.

        >>> from solvent.terms import BitVec
        >>> Solver.for_query([BitVec("x", 8) > 3]).name
        'bitwuzla'
        """
        name = settings().solver
        if name is None or name == "auto":
            encoder = Encoder()
            encoder.encode(terms)
            name = str(choose(encoder.features))
        return cls(name, timeout=timeout)

    # --- assertions --------------------------------------------------------------------------

    def add(self, *formulas: Formulas) -> None:
        """Assert formulas: terms or Python booleans, or iterables of them."""
        for formula in formulas:
            if isinstance(formula, (list, tuple)):
                self.add(*formula)
            else:
                self._frames[-1].entries.append((Bool.require(formula), None))
        self._model = None

    def push(self) -> None:
        """Open a frame, which `pop` closes again with all that was asserted since."""
        self._frames.append(Frame())

    def push_only(self) -> None:
        """Open the only frame: others were left open by somebody whom Ctrl-C interrupted."""
        self.pop(len(self._frames) - 1)
        self.push()

    def pop(self, count: int = 1) -> None:
        """Close frames."""
        if not 0 <= count < len(self._frames):
            raise SolverError(f"cannot pop {count} frames: {len(self._frames) - 1} are open")
        if count:
            del self._frames[-count:]

    def reset(self) -> None:
        """Drop all assertions and frames."""
        self._frames = [Frame()]
        self._asked.close()
        self._asked.reset()
        self._checked = None

    @property
    def assertions(self) -> list[Guard]:
        """What is asserted now."""
        return [term for frame in self._frames for term, goal in frame.entries if goal is None]

    def minimize(self, term: Operand) -> None:
        """Among the models, look for one in which the term is smallest (Z3 only)."""
        self._objective(term, maximize=False)

    def maximize(self, term: Operand) -> None:
        """Among the models, look for one in which the term is largest (Z3 only)."""
        self._objective(term, maximize=True)

    def _objective(self, term: Operand, maximize: bool) -> None:
        if not isinstance(term, Term):
            raise SolverError(f"an objective must be symbolic, not {term!r}")
        self._frames[-1].entries.append((term, maximize))

    @property
    def _objectives(self) -> list[tuple[Term, bool]]:
        return [
            (t, goal) for frame in self._frames for t, goal in frame.entries if goal is not None
        ]

    # --- checks ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The solver in use, or the one that gave the last answer."""
        return self._asked.name

    def prepare(self, about: Guard = True) -> None:
        """Let the solver's process start now, so that it is ready when a check needs it.

        If the theories are to choose it, it is the one for conditions such as `about`.
        """
        self._asked.prepare(about)

    def check(self, *assumptions: Guard | Sequence[Guard], timeout: float | None = None) -> Status:
        """Whether the assertions, together with the assumptions, are satisfiable.

        `unknown` is answered when a limit is reached or the solver gives up; `reason` says why.
        """
        assumed = tuple(Bool.require(assumption) for assumption in _flat(assumptions))
        seconds = self.timeout if timeout is None else time_limit(timeout)
        self._checked = None
        self._model = None
        self._interrupted = False
        self._assumptions = assumed
        started = time.perf_counter()
        try:
            status, reason = self._asked.check(
                self._frames, assumed, seconds, lambda: self._interrupted
            )
        except BaseException as error:
            # Ctrl-C among others: a process in an unknown state is not kept.
            self._asked.abandon()
            self._tell(assumed, Status.UNKNOWN, type(error).__name__, started)
            raise
        self._checked = self._tell(assumed, Status(status), reason, started)
        self._checks += 1
        self._seconds += self._checked.seconds
        return self._checked.status

    def _tell(
        self, assumed: Sequence[Guard], status: Status, reason: str, started: float
    ) -> Checked:
        """How a question was answered; whoever watches is told, of one that was stopped, too."""
        elapsed = time.perf_counter() - started
        checked = Checked(status, reason, elapsed, self.name)
        watcher = QUESTION_WATCHER.get()
        if watcher is not None:
            watcher([*self.assertions, *assumed], checked)
        return checked

    def interrupt(self) -> None:
        """Let a running check end with `unknown`; call it from another thread."""
        self._interrupted = True

    @property
    def reason(self) -> str:
        """Why the last check answered `unknown`, else the empty string."""
        return "" if self._checked is None else self._checked.reason

    @property
    def checked(self) -> Checked:
        """The last check with its status, reason and time."""
        if self._checked is None:
            raise NoModelError("there is no answer before a check")
        return self._checked

    def question(self) -> Question:
        """What the last check was about, and what each solver did."""
        formulas = [*self.assertions, *self._assumptions]
        return Question.of(formulas, self.checked, self._asked.attempts)

    def _ask(self, status: Status, what: str, question: Callable[[], ResultT | None]) -> ResultT:
        if self._checked is None or self._checked.status != status:
            last = (
                "no check was made"
                if self._checked is None
                else f"the answer was {self._checked.status}"
            )
            raise NoModelError(f"{what} exists only after the answer {status}: {last}")
        result = question()
        if result is None:
            # The process is gone or busy: find the answer again.
            if self.check(*self._assumptions) != status:
                raise NoModelError(f"{what} was lost with its process and could not be found again")
            result = question()
        assert result is not None, "a check that is just made has its answer"
        return result

    def check_for_model(self, *assumptions: Any, timeout: float | None = None) -> Status:
        """Like `check`, but the answer is `sat` only with a model that can be had, and in time.

        >>> from solvent import Int
        >>> with Solver() as solver:
        ...     solver.add(Int("x") > 3)
        ...     print(solver.check_for_model())
        sat
        """
        self._asked.wants_model = True
        try:
            status = self.check(*assumptions, timeout=timeout)
        finally:
            self._asked.wants_model = False
        if status is Status.SAT:
            try:
                self.model()
            except (NoModelError, UnsupportedError) as error:
                status = Status.UNKNOWN
                self._checked = replace(self.checked, status=status, reason=str(error))
        return status

    def model(self) -> Model:
        """The model that the last check found."""
        if self._model is None:
            self._model = self._read(self._ask(Status.SAT, "a model", self._asked.model))
        return self._model

    def values(self, wanted: Sequence[Term]) -> Model:
        """What the last check found for some constants, which is less work than a whole model.

        After `unknown` it is what the solver was left with, and empty if there is nothing.

        >>> from solvent.terms import Int
        >>> x, y = Int("x"), Int("y")
        >>> with Solver() as solver:
        ...     solver.add(x == 3, y == x + 1)
        ...     print(solver.check(), solver.values([y]))
        sat y = 4
        """
        if self._checked is not None and self._checked.status is Status.UNKNOWN:
            try:
                found = self._asked.model(wanted)
            except SolverError:
                found = None
            return Model({} if found is None else found[0])
        found = self._ask(Status.SAT, "a model", lambda: self._asked.model(wanted))
        return Model({key: found[0][key] for key in wanted if key in found[0]}, inexact=found[2])

    def _read(self, parts: ModelParts) -> Model:
        """The model that a backend describes, without what nobody has asked about."""
        values, interpretations, inexact = parts
        terms = [*self.assertions, *self._assumptions, *(t for t, _ in self._objectives)]
        used = {*constants(*terms), *applied_functions(*terms)}
        found: dict[Constant, Concrete | FunctionValue] = {
            key: value for key, value in values.items() if key in used
        }
        found.update((key, value) for key, value in interpretations.items() if key in used)
        return Model(found, inexact=inexact)

    def candidate(self) -> Model | None:
        """The assignment with which the last check gave up, which need not be a model.

        It exists after `unknown` if the solver has one: if it could not decide about quantifiers.

        >>> from solvent.terms import Function, Int, forall
        >>> x, f = Int("x"), Function("f", [Int], Int)
        >>> with Solver("z3:triggers") as solver:
        ...     solver.add(forall([x], f(x) > x, [f(x)]), f(Int("y")) == 7)
        ...     print(solver.check(), solver.candidate()["y"] < 7)
        unknown True
        """
        if self._checked is None or self._checked.status is not Status.UNKNOWN:
            return None
        try:
            found = self._asked.model()
        except SolverError:
            # There is none: the check was ended by its limit, for instance.
            return None
        return None if found is None else self._read(found)

    def unsat_core(self) -> list[Guard]:
        """Assumptions of the last check that cannot all hold together with the assertions."""
        return list(self._ask(Status.UNSAT, "a core", self._asked.core))

    def objective_values(self) -> list[Any]:
        """The best values of the objectives, in their order.

        A bound that is not reached gives the string `unbounded` or `not attained`.
        """
        data = self._ask(Status.SAT, "an optimum", self._asked.objectives)
        return [
            value if isinstance(value, str) else decode_value(term.sort, value)
            for value, (term, _) in zip(data, self._objectives, strict=True)
        ]

    def statistics(self) -> Figures:
        """Figures of this object, and those of the solver under `solver statistics`."""
        return {
            "solver": self.name,
            "checks": self._checks,
            "seconds": self._seconds,
            "conversion seconds": self._asked.total_conversion_seconds(),
            "nodes": self._asked.nodes,
            "solver statistics": self._asked.figures(),
        }

    # --- life --------------------------------------------------------------------------------

    def close(self) -> None:
        """Let the process forget this query; done by itself when the object is gone."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        count = len(self.assertions)
        state = "not checked" if self._checked is None else str(self._checked.status)
        return f"<Solver {self.name}: {count} assertions, {state}>"


def _backend(specs: Sequence[Spec] | None, memory: int, abstract: bool) -> Backend:
    if specs is not None and specs[0].name == "smtlib":
        # Reading and writing SMT-LIB takes a while to import, and few need it.
        from solvent.solvers.text import TextContext

        return TextContext(specs[0])
    if specs is None and not abstract:
        return NarrowingContext(memory)
    return Context(specs, memory, abstract)


def _remembering(backend: Backend, specs: Sequence[Spec] | None, abstract: bool) -> Backend:
    # What a command says may depend on anything.
    by_command = specs is not None and specs[0].name == "smtlib"
    if by_command or settings().remember is False:
        return backend
    return Remembering(backend, (None if specs is None else tuple(map(str, specs)), abstract))


def portfolio(
    solvers: Sequence[str], *, timeout: float | None = None, memory_limit: int | None = None
) -> Solver:
    """A solver that asks several at once, each in its own process, and takes the first answer.

    >>> from solvent.terms import BitVec
    >>> x = BitVec("x", 16)
    >>> with portfolio(["bitwuzla", "z3", "z3:QF_BV"]) as solver:
    ...     solver.add(x * x == 1, x > 1)
    ...     print(solver.check())
    sat
    """
    if not solvers:
        raise SolverError("a portfolio needs at least one solver")
    specs = [parse_spec(name) for name in solvers]
    if any(spec.name == "smtlib" for spec in specs):
        raise SolverError("an SMT-LIB process cannot be part of a portfolio")
    defaults = settings()
    result = Solver.__new__(Solver)
    result._abstract = False
    result._start(
        specs,
        timeout if timeout is not None else defaults.timeout,
        memory_limit if memory_limit is not None else defaults.memory_limit,
    )
    return result


def _flat(values: Sequence[Guard | Sequence[Guard]]) -> Iterable[Guard]:
    for value in values:
        if isinstance(value, Sequence):
            yield from value
        else:
            yield value
