"""Queries, alone or in a session that keeps its solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solvent.queries import debugging, optimizing, solving, synthesizing, verifying
from solvent.queries.asking import Asker, Meter
from solvent.queries.inputs import DEFAULT_LENGTH
from solvent.queries.optimizing import Optimum
from solvent.queries.problem import pose
from solvent.queries.rendering import Localisation
from solvent.queries.results import Solution, Verification
from solvent.queries.synthesizing import Progress, Synthesis

Function = Callable[..., Any]


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
    """

    def solve(
        self,
        function: Function,
        *args: Any,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Solution:
        """As `solvent.solve`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, unwinding=unwinding, max_len=max_len)
        return solving.solve(self, problem, meter)

    def solve_all(
        self,
        function: Function,
        *args: Any,
        limit: int | None = None,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Iterator[Solution]:
        """As `solvent.solve_all`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, unwinding=unwinding, max_len=max_len)
        return solving.solve_all(self, problem, meter, limit)

    def verify(
        self,
        function: Function,
        *args: Any,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Verification:
        """As `solvent.verify`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, unwinding=unwinding, max_len=max_len)
        return verifying.verify(self, problem, meter)

    def verify_all(
        self,
        function: Function,
        *args: Any,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> list[Verification]:
        """As `solvent.verify_all`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, unwinding=unwinding, max_len=max_len)
        return list(verifying.verify_all(self, problem, meter))

    def optimize(
        self,
        function: Function,
        *args: Any,
        minimize: Any = None,
        maximize: Any = None,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Optimum:
        """As `solvent.optimize`."""
        meter = Meter()
        goals = optimizing.goals(minimize, maximize)
        problem = pose(
            function,
            args,
            named,
            bound=bound,
            unwinding=unwinding,
            max_len=max_len,
            then=optimizing.objective_terms(goals),
        )
        return optimizing.optimize(self, problem, meter, goals)

    def synthesize(
        self,
        function: Function,
        *args: Any,
        forall: Any = None,
        method: str = "cegis",
        progress: Progress | None = None,
        rounds: int | None = None,
        samples: int = 0,
        bound: int | None = None,
        unwinding: str = "assert",
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Synthesis:
        """As `solvent.synthesize`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, unwinding=unwinding, max_len=max_len)
        return synthesizing.synthesize(
            self,
            problem,
            meter,
            forall=forall,
            method=method,
            progress=progress,
            rounds=rounds,
            samples=samples,
        )

    def debug(
        self,
        function: Function,
        *args: Any,
        select: Any = None,
        limit: int | None = 1,
        bound: int | None = None,
        max_len: int = DEFAULT_LENGTH,
        **named: Any,
    ) -> Localisation:
        """As `solvent.debug`."""
        meter = Meter()
        problem = pose(function, args, named, bound=bound, max_len=max_len)
        return debugging.debug(self, problem, meter, select=select, limit=limit, bound=bound)


def session(solver: str | None = None, *, timeout: float | None = None) -> Session:
    """A session: `with session() as s: s.solve(...)`."""
    return Session(solver, timeout=timeout)


def solve(
    function: Function,
    *args: Any,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Solution:
    """Inputs with which a function ends without failure.

    >>> from solvent import Int
    >>> def root(x):
    ...     assert x * x == 49 and x < 0
    >>> solve(root, Int("x")).inputs
    {'x': -7}
    """
    with session(solver, timeout=timeout) as s:
        return s.solve(function, *args, **options)


def solve_all(
    function: Function,
    *args: Any,
    limit: int | None = None,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> list[Solution]:
    """All solutions with different inputs, or the first few.

    >>> from solvent import Int
    >>> def root(x):
    ...     assert x * x == 49
    >>> sorted(found.inputs["x"] for found in solve_all(root, Int("x")))
    [-7, 7]
    """
    with session(solver, timeout=timeout) as s:
        return list(s.solve_all(function, *args, limit=limit, **options))


def verify(
    function: Function,
    *args: Any,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Verification:
    """Inputs with which an assertion fails or an exception escapes, or a proof that none do.

    >>> def average(xs: list[int]):
    ...     return sum(xs) // len(xs)
    >>> result = verify(average)
    >>> result.call, result.confirmed
    ('average(xs=[])', True)
    """
    with session(solver, timeout=timeout) as s:
        return s.verify(function, *args, **options)


def verify_all(
    function: Function,
    *args: Any,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> list[Verification]:
    """A counterexample for each place that can fail, or the one answer that none can.

    >>> def first(xs: list[int], k: int):
    ...     return xs[0] // k
    >>> [type(found.failure.exception).__name__ for found in verify_all(first)]
    ['IndexError', 'ZeroDivisionError']
    """
    with session(solver, timeout=timeout) as s:
        return s.verify_all(function, *args, **options)


def optimize(
    function: Function,
    *args: Any,
    minimize: Any = None,
    maximize: Any = None,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Optimum:
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
    with session(solver, timeout=timeout) as s:
        return s.optimize(function, *args, minimize=minimize, maximize=maximize, **options)


def synthesize(
    function: Function,
    *args: Any,
    forall: Any = None,
    method: str = "cegis",
    progress: Progress | None = None,
    rounds: int | None = None,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Synthesis:
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
    with session(solver, timeout=timeout) as s:
        return s.synthesize(
            function,
            *args,
            forall=forall,
            method=method,
            progress=progress,
            rounds=rounds,
            **options,
        )


def debug(
    function: Function,
    *args: Any,
    select: Any = None,
    limit: int | None = 1,
    solver: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Localisation:
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
    with session(solver, timeout=timeout) as s:
        return s.debug(function, *args, select=select, limit=limit, **options)
