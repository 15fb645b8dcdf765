"""Differential testing as in section 6.3: each program is evaluated on four routes.

* `naive`: the rules of figure 6 with the naive factory of section 6.1,
* `optimised`: the same rules with Solvent's own terms and unions,
* `machine`: the program as Python, run by the virtual machine,
* `interpreter`: an interpreter in Python with mutable state, run by the virtual machine.

The oracle compares what they come to, and the theorems of section 5 are checked on the way.  A
route may be stuck, as it has no fuel left: then the test is dropped and counted, like that of
figure 7a.  But it is a difference if a route is stuck that must prove more than one that is not.

>>> from solvent.reference.enumeration import tests
>>> report = run(tests(20, seed=1))
>>> report.count, report.validated, report.differences
(20, 20, ())
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from solvent.depth import deep_recursion
from solvent.reference import interpreter, theorems, translation
from solvent.reference.concrete import DEFAULT_FUEL, Stuck
from solvent.reference.enumeration import Test
from solvent.reference.factory import Factory
from solvent.reference.naive import NaiveFactory
from solvent.reference.optimised import OptimisedFactory
from solvent.reference.oracle import SECONDS_PER_QUESTION, Account, Oracle, account
from solvent.reference.shrinking import shrink
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import show
from solvent.reference.translation import MachineResult
from solvent.terms.term import Term
from solvent.verdicts import Answer, Finding, OutOfTime, Verdict


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a test may go: for all its routes together, and for a question to the solver."""

    seconds: float = 240.0
    fuel: int = DEFAULT_FUEL
    seconds_per_question: float = SECONDS_PER_QUESTION
    # On how many models the theorems are checked; 0 if they are not.
    models: int = theorems.MOST_MODELS


LIMITS = Limits()


class _OverError(BaseException):
    """Takes the place of an `OutOfTime` that comes too late."""


# Raises an exception in a thread, at its next jump or call.
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in this thread if what is done inside takes too long.

    >>> with time_limit(0.05):
    ...     while True: pass
    Traceback (most recent call last):
    solvent.verdicts.deadline.OutOfTime: the time limit is reached
    """
    thread = ctypes.c_ulong(threading.get_ident())
    lock = threading.Lock()
    done = fired = False

    def fire() -> None:
        nonlocal fired
        with lock:
            if not done:
                fired = True
                _raise_in(thread, ctypes.py_object(OutOfTime))

    timer = threading.Timer(seconds, fire)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            done = True
        timer.cancel()
        if fired:
            _forget_late(thread)


def _forget_late(thread: ctypes.c_ulong) -> None:
    """Take back an exception that was raised in this thread but may not have arrived yet.

    Another one takes its place and is awaited: Python 3.11 goes on looking for exceptions until
    one arrives, and under `sys.settrace` it does nothing else then, for ever.
    """
    try:
        _raise_in(thread, ctypes.py_object(_OverError))
        while True:
            pass
    except _OverError:
        pass


# --- routes ------------------------------------------------------------------------------------

# What a route makes of a test with some fuel; it raises `Stuck` if that is not enough.
Route = Callable[[Test, int], Account]


def by_rules(
    factory: Callable[[], Factory], evaluator: type[SymbolicEvaluator] = SymbolicEvaluator
) -> Route:
    """The route by the rules of figure 6 over a factory."""

    def route(test: Test, fuel: int) -> Account:
        made = factory()
        started = time.perf_counter()
        found = evaluator(made).evaluate(test.program, test.environment(made), fuel=fuel)
        return replace(account(made, found), seconds=time.perf_counter() - started)

    return route


def by_machine(execute: Callable[[Test, int], MachineResult]) -> Route:
    """A route by the virtual machine."""

    def route(test: Test, fuel: int) -> Account:
        started = time.perf_counter()
        found = execute(test, fuel)
        seconds = time.perf_counter() - started
        state = found.assumes, found.asserts
        nodes = OptimisedFactory().size(*state)
        trivial = not any(isinstance(b, Term) for b in state)
        return Account(*state, found.halted, found.value, found.parts, nodes, trivial, seconds)

    return route


ROUTES: Mapping[str, Route] = {
    "naive": by_rules(NaiveFactory),
    "optimised": by_rules(OptimisedFactory),
    "machine": by_machine(translation.run),
    "interpreter": by_machine(interpreter.run),
}


# Those that prove at least as much as the ones before: each is only stuck if they are.  The
# interpreter proves less, as it may find in its state what is there on no path that exists.
PROVING = ("naive", "optimised", "machine")

# Whose runs the theorems are checked on.
FACTORIES: Mapping[str, Callable[[], Factory]] = {
    "naive": NaiveFactory,
    "optimised": OptimisedFactory,
}


# --- one test ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """The figures of one route: time, and size of the final state."""

    seconds: float
    size: int
    trivial: bool


# How the detail of a test begins that contradicts a theorem.
THEOREM = "theorem"

VALIDATED, DIFFERENT, STUCK, UNKNOWN = "validated", "different", "stuck", "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """What a test came to, in words if it was not validated."""

    test: Test
    verdict: str
    detail: str = ""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    # How often the solver was asked.
    asked: int = 0


_local = threading.local()


def shared_oracle(seconds: float) -> Oracle:
    """The oracle of this thread: one solver answers all its questions."""
    found: Oracle | None = getattr(_local, "oracle", None)
    if found is not None and _local.process != os.getpid():
        # The process of its solver belongs to the one that this is a fork of, which goes on.
        _local.left = found
        found = None
    if found is None or found.solver.timeout != seconds:
        found = _local.oracle = Oracle(seconds)
        _local.process = os.getpid()
    return found


def check(test: Test, limits: Limits = LIMITS, routes: Mapping[str, Route] = ROUTES) -> Row:
    """Evaluate a test on all routes, and compare.

    >>> from solvent.reference.syntax import parse
    >>> check(Test.of(parse("(if p (+ x y) (error))"))).verdict
    'validated'
    """
    oracle = shared_oracle(limits.seconds_per_question)
    before = oracle.asked
    try:
        with time_limit(limits.seconds), deep_recursion():
            row = _Check(test, limits, oracle, routes).row()
    except OutOfTime as error:
        row = Row(test, STUCK, str(error))
    except Exception as error:
        # Whatever went wrong, the other tests go on.
        row = Row(test, DIFFERENT, f"the comparison fails: {type(error).__name__}: {error}")
    return replace(row, asked=oracle.asked - before)


class _Check:
    def __init__(
        self, test: Test, limits: Limits, oracle: Oracle, routes: Mapping[str, Route]
    ) -> None:
        self.test = test
        self.limits = limits
        self.oracle = oracle
        self.routes = routes
        self.accounts: dict[str, Account] = {}
        self.stuck: dict[str, str] = {}

    def row(self) -> Row:
        """Run all routes and say what they came to."""
        for name, route in self.routes.items():
            try:
                self.accounts[name] = route(self.test, self.limits.fuel)
            except (Stuck, RecursionError) as error:
                self.stuck[name] = str(error)
            except OutOfTime:
                raise
            except Exception as error:
                return Row(self.test, DIFFERENT, f"{name} fails: {type(error).__name__}: {error}")
        verdict, detail = self.verdict()
        if verdict != DIFFERENT and self.limits.models:
            detail = self.violation() or detail
            verdict = DIFFERENT if detail.startswith(THEOREM) else verdict
        measures = {
            name: Measure(found.seconds, found.size, found.trivial)
            for name, found in self.accounts.items()
        }
        return Row(self.test, verdict, detail, measures)

    def violation(self) -> str:
        """The first theorem that is violated, in words."""
        for name, factory in FACTORIES.items():
            evaluator = SymbolicEvaluator(factory())
            made = theorems.Run(self.test, evaluator, self.limits.fuel, self.limits.models)
            for theorem, text in theorems.violations(made).items():
                return f"{THEOREM} {theorem} ({name}): {text}"
        return ""

    def verdict(self) -> tuple[str, str]:
        """Compare each route that has a result with the next one."""
        names = list(self.accounts)
        unknown = ""
        for name, other in pairwise(names):
            found = self.oracle.compare(self.accounts[name], self.accounts[other])
            if found.equivalent is None:
                unknown = f"{name} and {other}: {found}"
            elif not found.equivalent:
                return DIFFERENT, f"{name} and {other}: {found}"
        for place, name in enumerate(PROVING):
            weaker = [other for other in PROVING[:place] if other in self.accounts]
            if name in self.stuck and weaker:
                return DIFFERENT, f"{name} is stuck, but not {weaker[0]}: {self.stuck[name]}"
        if self.stuck:
            return STUCK, "; ".join(f"{name}: {reason}" for name, reason in self.stuck.items())
        return (UNKNOWN, unknown) if unknown else (VALIDATED, "")


# --- many tests --------------------------------------------------------------------------------

# So many tests are one task of an executor.
BATCH = 25


@dataclass(frozen=True, slots=True)
class Report(Answer):
    """What all tests came to, in their order: whether all routes agree on all of them.

    Tests that were dropped, as a route was stuck, say nothing.
    """

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, rows: Iterable[Row], seconds: float) -> Report:
        """The answer that tests amount to."""
        tests = tuple(rows)
        kinds = {row.verdict: row for row in tests}
        if DIFFERENT in kinds:
            return cls(tests, verdict=Verdict.VIOLATED, seconds=seconds)
        if UNKNOWN in kinds:
            reason = kinds[UNKNOWN].detail
            return cls(tests, verdict=Verdict.UNKNOWN, reason=reason, seconds=seconds)
        return cls(tests, verdict=Verdict.HOLDS, seconds=seconds)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The differences, each with the program that shows it."""
        return tuple(
            Finding(row.detail, inputs={"program": show(row.test.program)}, confirmed=True)
            for row in self.differences
        )

    def having(self, verdict: str) -> tuple[Row, ...]:
        """The tests with a verdict."""
        return tuple(row for row in self.rows if row.verdict == verdict)

    @property
    def count(self) -> int:
        """The number of tests."""
        return len(self.rows)

    @property
    def validated(self) -> int:
        """The number of tests on which all routes agree."""
        return len(self.having(VALIDATED))

    @property
    def differences(self) -> tuple[Row, ...]:
        """The tests on which routes differ, or which contradict a theorem."""
        return self.having(DIFFERENT)

    @property
    def asked(self) -> int:
        """How often the solver was asked."""
        return sum(row.asked for row in self.rows)


def check_all(tests: Sequence[Test], limits: Limits) -> list[Row]:
    """The task of an executor: check some tests one after the other."""
    return [check(test, limits) for test in tests]


def run(
    tests: Iterable[Test],
    executor: Executor | None = None,
    limits: Limits = LIMITS,
    progress: Callable[[Row], None] = lambda row: None,
) -> Report:
    """Check tests, here or on any executor; `progress` is told of each that is done."""
    started = time.perf_counter()
    rows: list[Row] = []
    if executor is None:
        for test in tests:
            rows.append(check(test, limits))
            progress(rows[-1])
        return Report.of(rows, time.perf_counter() - started)
    tasks = {
        executor.submit(check_all, batch, limits): place
        for place, batch in enumerate(batches(tests, BATCH))
    }
    found: dict[int, list[Row]] = {}
    for task in as_completed(tasks):
        found[tasks[task]] = task.result()
        for row in task.result():
            progress(row)
    rows = [row for place in sorted(found) for row in found[place]]
    return Report.of(rows, time.perf_counter() - started)


def batches(tests: Iterable[Test], length: int) -> Iterator[list[Test]]:
    """The tests in groups of a length; the last one may be shorter."""
    rest = iter(tests)
    while batch := list(islice(rest, length)):
        yield batch


def smallest(row: Row, limits: Limits = LIMITS) -> Row:
    """A minimal test that differs like that of a row."""
    return check(shrink(row.test, lambda test: check(test, limits).verdict == DIFFERENT), limits)
