"""Queries, alone or in a session that keeps its solver.

What belongs to the function and what to the query is told apart in `options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from types import EllipsisType

from solvent.errors import QueryError
from solvent.queries import (
    debugging,
    optimizing,
    signatures,
    solving,
    synthesizing,
    verifying,
)
from solvent.queries.asking import Asker, Meter
from solvent.queries.contracted import contracted
from solvent.queries.guarding import telling_limits
from solvent.queries.meant import NOTHING, Meant
from solvent.queries.optimizing import Optimum
from solvent.queries.options import (
    OF_SESSION,
    Asked,
    Options,
    asked,
    check_of_session,
    document,
)
from solvent.queries.problem import Problem, pose
from solvent.queries.rendering import Localisation
from solvent.queries.results import Solution, Verification
from solvent.queries.signatures import Function, seen_as
from solvent.queries.synthesizing import Synthesis
from solvent.vm.values import Value

# So many pieces of a question are with an executor at a time.
WIDTH = 8


class Session(Asker):
    """Queries that share a solver, so that each pays only for what is new.

    >>> from solvent import Int
    >>> x = Int("x")
    >>> def small(x):
    ...     assert x < 100
    >>> with Session() as s:
    ...     s.assume(x > 50)
    ...     print(s.solve(small, x).inputs["x"] > 50, s.verify(small, x).inputs["x"] >= 100)
    True True

    With an executor of `concurrent.futures`, such as `client.get_executor()` of Dask's, questions
    that are not answered in `share` seconds are divided into pieces, which are solved there, so
    many (`width`) at a time.
    """

    def __init__(
        self,
        solver: str | None = None,
        *,
        timeout: float | None = None,
        executor: Executor | None = None,
        share: float = 2.0,
        width: int = WIDTH,
    ) -> None:
        split = None
        if executor is not None:
            # Few divide questions, and SMT-LIB takes a while to import.
            from solvent.solvers.pieces import on_executor
            from solvent.solvers.splitting import Split

            split = Split(on_executor(executor, width), width, share)
        super().__init__(solver, timeout=timeout, split=split)

    @seen_as(signatures.most_in_session)
    def solve(self, function: Function, /, *args: Value, **named: Value) -> Solution:
        """As `solvent.solve`."""
        with telling_limits(function):
            meter = Meter()
            problem, _ = self._pose("solve", function, args, named)
            return solving.solve(self, problem, meter)

    @seen_as(signatures.solve_all_in_session)
    def solve_all(self, function: Function, /, *args: Value, **named: Value) -> Iterator[Solution]:
        """As `solvent.solve_all`."""
        with telling_limits(function):
            meter = Meter()
            problem, options = self._pose("solve_all", function, args, named)
        return solving.solve_all(self, problem, meter, _number(options.limit, None))

    @seen_as(signatures.verify_in_session)
    def verify(self, function: Function, /, *args: Value, **named: Value) -> Verification:
        """As `solvent.verify`."""
        with telling_limits(function):
            meter = Meter()
            given = asked("verify", function, args, named, session=True)
            with contracted(function, given.options) as (found, meant):
                problem = _posed(self, found, given, meant=meant, any_order=True)
                return verifying.verify(self, problem, meter)

    @seen_as(signatures.verify_in_session)
    def verify_all(self, function: Function, /, *args: Value, **named: Value) -> list[Verification]:
        """As `solvent.verify_all`."""
        with telling_limits(function):
            meter = Meter()
            given = asked("verify_all", function, args, named, session=True)
            with contracted(function, given.options) as (found, meant):
                problem = _posed(self, found, given, meant=meant, any_order=True)
                return list(verifying.verify_all(self, problem, meter))

    @seen_as(signatures.optimize_in_session)
    def optimize(self, function: Function, /, *args: Value, **named: Value) -> Optimum:
        """As `solvent.optimize`."""
        with telling_limits(function):
            meter = Meter()
            given = asked("optimize", function, args, named, session=True)
            goals = optimizing.goals(given.options.minimize, given.options.maximize)
            problem = _posed(self, function, given, then=optimizing.objective_terms(goals))
            return optimizing.optimize(self, problem, meter, goals)

    @seen_as(signatures.synthesize_in_session)
    def synthesize(self, function: Function, /, *args: Value, **named: Value) -> Synthesis:
        """As `solvent.synthesize`."""
        with telling_limits(function):
            meter = Meter()
            problem, options = self._pose("synthesize", function, args, named)
            return synthesizing.synthesize(
                self,
                problem,
                meter,
                forall=options.forall,
                method=options.method,
                progress=options.progress,
                rounds=options.rounds,
                samples=options.samples,
            )

    @seen_as(signatures.debug_in_session)
    def debug(self, function: Function, /, *args: Value, **named: Value) -> Localisation:
        """As `solvent.debug`."""
        with telling_limits(function):
            meter = Meter()
            problem, options = self._pose("debug", function, args, named)
            return debugging.debug(
                self,
                problem,
                meter,
                select=options.select,
                limit=_number(options.limit, 1),
                bound=options.bound,
            )

    def _pose(
        self, query: str, function: Function, args: tuple[Value, ...], named: dict[str, Value]
    ) -> tuple[Problem, Options]:
        given = asked(query, function, args, named, session=True)
        return _posed(self, function, given), given.options


def _posed(
    asker: Asker,
    function: Function,
    given: Asked,
    then: Callable[[Value], Value] | None = None,
    meant: Meant = NOTHING,
    any_order: bool = False,
) -> Problem:
    options = given.options
    return pose(
        function,
        given.args,
        given.named,
        bound=options.bound,
        unwinding=options.unwinding,
        max_len=options.max_len,
        alias=options.alias,
        meant=meant,
        then=then,
        any_order=any_order,
        # The rest of the program is evaluated while the solver starts.
        on_doubt=asker.solver.prepare,
    )


def _without_budget(given: Asked) -> Asked:
    """The question, unless it has a budget, which only a race can keep to."""
    if given.options.budget is not None:
        raise QueryError("this query runs a function once; solvent.verify() takes a budget")
    return given


def _number(limit: int | EllipsisType | None, default: int | None) -> int | None:
    return default if limit is ... else limit


def session(
    solver: str | None = None, *, options: Options | None = None, timeout: float | None = None
) -> Session:
    """A session: `with session() as s: s.solve(...)`.

    >>> from solvent import Int
    >>> def small(x):
    ...     assert x < 100
    >>> with session(options=Options(timeout=10)) as s:
    ...     s.verify(small, Int("x")).holds
    False
    """
    if options is not None:
        check_of_session(options, {"solver": solver, "timeout": timeout})
        return _session_of(options)
    return Session(solver, timeout=timeout)


document(session, OF_SESSION)


def _session_of(options: Options) -> Session:
    return Session(options.solver, timeout=options.timeout)


@seen_as(signatures.most)
def solve(function: Function, /, *args: Value, **named: Value) -> Solution:
    """Inputs with which a function ends without failure.

    >>> from solvent import Int
    >>> def root(x):
    ...     assert x * x == 49 and x < 0
    >>> solve(root, Int("x")).inputs
    {'x': -7}
    """
    given = asked("solve", function, args, named)
    with _session_of(given.options) as s:
        return s.solve(function, *given.args, given.in_session(), **given.named)


@seen_as(signatures.solve_all)
def solve_all(function: Function, /, *args: Value, **named: Value) -> list[Solution]:
    """All solutions with different inputs, or the first few.

    >>> from solvent import Int
    >>> def root(x):
    ...     assert x * x == 49
    >>> sorted(found.inputs["x"] for found in solve_all(root, Int("x")))
    [-7, 7]
    """
    given = asked("solve_all", function, args, named)
    with _session_of(given.options) as s:
        return list(s.solve_all(function, *given.args, given.in_session(), **given.named))


@seen_as(signatures.verify)
def verify(function: Function, /, *args: Value, **named: Value) -> Verification:
    """Inputs with which an assertion fails or an exception escapes, or a proof that none do.

    >>> def average(xs: list[int]):
    ...     return sum(xs) // len(xs)
    >>> result = verify(average)
    >>> result.call, result.confirmed
    ('average(xs=[])', True)
    >>> verify(average, raises=ZeroDivisionError).holds
    True
    """
    given = _without_budget(asked("verify", function, args, named))
    with _session_of(given.options) as s:
        return s.verify(function, *given.args, given.in_session(), **given.named)


@seen_as(signatures.verify)
def verify_all(function: Function, /, *args: Value, **named: Value) -> list[Verification]:
    """A counterexample for each place that can fail, or the one answer that none can.

    >>> def first(xs: list[int], k: int):
    ...     return xs[0] // k
    >>> [type(found.failure.exception).__name__ for found in verify_all(first)]
    ['IndexError', 'ZeroDivisionError']
    """
    given = _without_budget(asked("verify_all", function, args, named))
    with _session_of(given.options) as s:
        return s.verify_all(function, *given.args, given.in_session(), **given.named)


@seen_as(signatures.optimize)
def optimize(function: Function, /, *args: Value, **named: Value) -> Optimum:
    """The best inputs with which a function ends without failure.

    What is minimised or maximised is a term, a function of the result, `True` for the result
    itself, or a list of these, the first of which counts most.

    >>> from solvent import Int
    >>> def area(width, height):
    ...     assert width > 0 and height > 0 and width + height == 10
    ...     return width * height
    >>> optimize(area, Int("w"), Int("h"), maximize=True).objectives
    (25,)
    """
    given = asked("optimize", function, args, named)
    with _session_of(given.options) as s:
        return s.optimize(function, *given.args, given.in_session(), **given.named)


@seen_as(signatures.synthesize)
def synthesize(function: Function, /, *args: Value, **named: Value) -> Synthesis:
    """Values for holes with which a function fails on no input that it assumes.

    `forall` lists the inputs: terms, containers of terms, or names of parameters; all else that is
    symbolic is a hole.  Without it the arguments and the symbolic variables around the function are
    inputs, and the constants that the function makes itself are holes.  The method is `cegis`,
    `quantifiers` or `sygus`; `progress` is called with the round, the guess and its counterexample.
    The search starts with one input and so many `samples` drawn at random.

    >>> from solvent import Int
    >>> def factored(x, a, b):
    ...     assert (x + a) * (x + b) == x * x + 5 * x + 6
    >>> found = synthesize(factored, Int("x"), Int("a"), Int("b"), forall="x")
    >>> sorted(found.holes.values()), found.confirmed
    ([2, 3], True)
    """
    given = asked("synthesize", function, args, named)
    with _session_of(given.options) as s:
        return s.synthesize(function, *given.args, given.in_session(), **given.named)


@seen_as(signatures.debug)
def debug(function: Function, /, *args: Value, **named: Value) -> Localisation:
    """The expressions that are responsible for a failure: minimal cores, one unless limited else.

    `select` says which expressions are under suspicion: those with values of some types or sorts,
    those in some functions, classes or modules, or those for which a predicate on (value, place)
    holds.  With symbolic inputs a failing input is found first.  `limit=None` gives all cores.

    >>> def double(x):
    ...     return x + 2
    >>> def check(x):
    ...     assert double(x) == 2 * x
    >>> [suspect.text for suspect in debug(check, 5).core]
    ['x + 2', '2']
    """
    given = asked("debug", function, args, named)
    with _session_of(given.options) as s:
        return s.debug(function, *given.args, given.in_session(), **given.named)
