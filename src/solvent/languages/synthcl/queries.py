"""Questions about data-parallel programs: is one right, and how is a sketch of one completed?

A program and its reference are functions of the same parameters.  The inputs are given as cases:
for each case a list of arguments, of which `numbers(n)` stands for an array of symbolic numbers.
These are bitvectors: 32 bits wide for verification, 8 for synthesis unless it is said otherwise.

>>> def twice(values):
...     return [value + value for value in values]
>>> def shifted(values):
...     return [value << 1 for value in values]
>>> verify(shifted, twice, [[numbers(3)], [numbers(4)]]).holds
True
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType
from typing import Any

from solvent import BitVec, Int, complete, evaluate, lifted
from solvent import synthesize as search
from solvent import verify as refute
from solvent.languages.synthcl.runtime import Device, Kernel, using
from solvent.languages.synthcl.types import WIDTH, SynthCLError
from solvent.lift import execute
from solvent.queries import Verification
from solvent.queries.results import QueryStats
from solvent.queries.synthesizing import Synthesis
from solvent.sketch import complete_source
from solvent.solvers import Status
from solvent.terms import BV, bv
from solvent.vm.values import Value

Program = Callable[..., Value]
Progress = Callable[[int, int], object]

VERIFICATION_BITS = 32
SYNTHESIS_BITS = 8

# How many random inputs a synthesis starts with, and how many its result is tried on.
SAMPLES = 4
TRIALS = 5


@dataclass(frozen=True)
class Numbers:
    """An array of symbolic numbers that a case asks for."""

    count: int


def numbers(count: int) -> Numbers:
    """An array of so many symbolic numbers, as an argument in a case.

    >>> numbers(3)
    Numbers(count=3)
    """
    return Numbers(count)


@dataclass
class Cost:
    """What queries have cost: the counts of the symbolic runs, and seconds."""

    joins: int = 0
    unions: int = 0
    union_sum: int = 0
    union_max: int = 0
    terms: int = 0
    checks: int = 0
    evaluation: float = 0.0
    # Of the processor, in the evaluation.
    cpu_seconds: float = 0.0
    solving: float = 0.0

    def add(self, stats: QueryStats) -> None:
        """Add the figures of one query."""
        run = stats.run
        self.joins += run.joins
        self.unions += run.unions
        self.union_sum += run.union_sizes
        self.union_max = max(self.union_max, run.largest_union)
        self.terms += run.terms
        self.checks += stats.checks
        self.evaluation += run.seconds
        self.cpu_seconds += run.cpu_seconds
        self.solving += stats.solver_seconds

    def __str__(self) -> str:
        return (
            f"{self.terms:,} terms, {self.joins:,} joins, {self.unions:,} unions, evaluated in "
            f"{self.evaluation:.2f} s; {self.checks} checks in {self.solving:.2f} s"
        )


@contextmanager
def wide(bits: int | None) -> Iterator[None]:
    """Let ints in memory and in vectors be bitvectors, or what they are.

    >>> from solvent.languages.synthcl.types import int2
    >>> with wide(8):
    ...     int2(255, 256)
    int2(bv(255, 8), bv(0, 8))
    """
    token = WIDTH.set(bits)
    try:
        yield
    finally:
        WIDTH.reset(token)


# --- inputs --------------------------------------------------------------------------------------


def _symbolic(case: Sequence[Value], bits: int | None, label: str) -> list[Value]:
    """The arguments of a case, with symbolic constants for the numbers."""
    made = Int if bits is None else partial(BitVec, width=bits)
    found = []
    for place, arg in enumerate(case):
        if isinstance(arg, Numbers):
            names = [f"{label}{_letter(place)}[{number}]" for number in range(arg.count)]
            found.append([made(name) for name in names])
        else:
            found.append(arg)
    return found


def _letter(place: int) -> str:
    return "abcdefgh"[place] if place < 8 else f"a{place}"


def random_numbers(case: Sequence[Value], bits: int | None, source: random.Random) -> list[Value]:
    """The arguments of a case, with random numbers.

    >>> random_numbers([2, numbers(1)], 8, random.Random(0))
    [2, [bv(216, 8)]]
    """

    def number() -> Value:
        return source.randrange(-999, 1000) if bits is None else bv(source.getrandbits(bits), bits)

    return [
        [number() for _ in range(arg.count)] if isinstance(arg, Numbers) else arg for arg in case
    ]


def _checked_cases(cases: Iterable[Sequence[Value]]) -> list[Sequence[Value]]:
    found: list[Sequence[Value]] = [tuple(case) for case in cases]
    if not found:
        raise SynthCLError("there are no cases to look at")
    return found


# --- verification --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verified:
    """The answer to `verify`.

    `status` is `unsat` if no input of any case fails, `sat` if one does, which is in `inputs`, and
    `unknown` if a limit was reached.
    """

    program: str
    status: Status
    cases: int
    cost: Cost
    reason: str = ""
    # The arguments with which the program fails, and how.
    inputs: tuple[Value, ...] = ()
    failure: BaseException | None = None
    # Whether the plain kernels, run by Python on these arguments, failed too.
    confirmed: bool = False

    @property
    def holds(self) -> bool:
        """Whether the program is right for all inputs of all cases."""
        return self.status is Status.UNSAT

    def __bool__(self) -> bool:
        raise TypeError("a result is neither true nor false: ask for .holds")

    def __str__(self) -> str:
        if self.status is Status.UNSAT:
            return f"{self.program}: verified for {self.cases} cases ({self.cost})"
        if self.status is Status.UNKNOWN:
            return f"{self.program}: unknown ({self.reason})"
        shown = ", ".join(str(_shown(arg)) for arg in self.inputs)
        kind = "" if type(self.failure) is AssertionError else f"{_kind(self.failure)}: "
        return (
            f"{self.program}({shown}): {kind}{self.failure}\n"
            f"  {'confirmed' if self.confirmed else 'NOT confirmed'} by plain Python"
        )


def _kind(failure: BaseException | None) -> str:
    """The public name of the class of an exception."""
    names = [cls.__name__ for cls in type(failure).__mro__]
    return next(name for name in names if not name.startswith("_"))


def _shown(value: Value) -> Value:
    """Bitvectors as the numbers that they stand for."""
    if isinstance(value, BV):
        return value.signed
    return [_shown(item) for item in value] if isinstance(value, list) else value


@lifted
def agrees(program: Program, reference: Program, args: Sequence[Value]) -> None:
    """Fail if a program does not give what its reference gives.

    >>> agrees(sorted, list, [[1, 2]])
    """
    expected = reference(*args)
    assert program(*args) == expected, "the result differs from the reference's"


def verify(
    program: Program,
    reference: Program,
    cases: Iterable[Sequence[Value]],
    *,
    bits: int | None = VERIFICATION_BITS,
    timeout: float | None = None,
    solver: str | None = None,
    progress: Progress | None = None,
) -> Verified:
    """Whether a program gives what a reference gives, for all numbers in all cases.

    It must not fail either: no access out of bounds, no conflict between instances of a kernel, no
    read of what was never written, no assertion.  Without `bits` numbers are any ints.
    `progress` is called with the number of cases done and of all; `timeout` is for each check by a
    solver.
    """
    chosen = _checked_cases(cases)
    cost = Cost()
    name = _name(program)
    _prepare(program, reference)
    for done, case in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        args = _symbolic(case, bits, f"{done}.")
        with wide(bits):
            found = refute(agrees, program, reference, args, timeout=timeout, solver=solver)
        cost.add(found.stats)
        if not found.holds:
            with wide(bits):
                return _refuted(found, name, program, reference, args, len(chosen), cost)
    if progress is not None:
        progress(len(chosen), len(chosen))
    return Verified(name, Status.UNSAT, len(chosen), cost)


def _refuted(
    found: Verification,
    name: str,
    program: Program,
    reference: Program,
    args: list[Value],
    count: int,
    cost: Cost,
) -> Verified:
    if found.model is None:
        return Verified(name, found.status, count, cost, found.reason)
    inputs = tuple(evaluate(args, found.model))
    failure = found.failure.exception if found.failure is not None else None
    return Verified(
        name,
        found.status,
        count,
        cost,
        inputs=inputs,
        failure=failure,
        confirmed=_fails(program, reference, inputs),
    )


def _fails(program: Program, reference: Program, inputs: Sequence[Value]) -> bool:
    """Whether the plain program, with plain kernels, fails on concrete inputs."""
    try:
        with using(Device(lifted=False)):
            agrees(program, reference, [list(a) if isinstance(a, list) else a for a in inputs])
    except Exception:
        return True
    return False


def _prepare(*programs: Program) -> None:
    """Rewrite programs before they are evaluated, so that this counts as what it is."""
    for program in programs:
        if isinstance(program, FunctionType):
            lifted(program)


def _name(program: Program) -> str:
    return getattr(program, "__name__", None) or repr(program)


# --- synthesis -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Synthesized:
    """The answer to `synthesize`."""

    program: str
    status: Status
    cases: int
    cost: Cost
    reason: str = ""
    rounds: int = 0
    # The values of the holes by the names of their constants.
    holes: dict[str, Value] = field(default_factory=dict)
    # The source of the module of the sketch with all holes filled in, and the program it defines.
    source: str = ""
    completed: Program | None = None
    # Whether the completed program ran correctly in plain Python on random numbers.
    confirmed: bool = False

    @property
    def found(self) -> bool:
        """Whether the holes can be filled in."""
        return self.status is Status.SAT

    def __bool__(self) -> bool:
        raise TypeError("a result is neither true nor false: ask for .found")

    def kernel(self, name: str) -> str:
        """The source of one completed kernel."""
        assert self.completed is not None, "nothing was found"
        found = self.completed.__globals__[name]
        text = inspect.getsource(found.function if isinstance(found, Kernel) else found)
        return text.rstrip("\n")

    def __str__(self) -> str:
        if self.status is Status.SAT:
            return f"{self.program}: completed, right for all of {self.cases} cases ({self.cost})"
        if self.status is Status.UNSAT:
            return f"{self.program}: no values of the holes are right for all inputs"
        return f"{self.program}: unknown ({self.reason})"


@lifted
def _all_agree(program: Program, reference: Program, inputs: list[list[Value]]) -> None:
    for args in inputs:
        agrees(program, reference, args)


def rehearse(
    program: Program, reference: Program, case: Sequence[Value], bits: int | None
) -> None:  # fmt: skip
    """Run a program and its reference symbolically and look at nothing, so that they are lifted.

    >>> rehearse(sorted, list, [[1, 2]], 8)
    """
    with wide(bits):
        execute(agrees, program, reference, _symbolic(case, bits, "rehearsed."))


def synthesize(
    sketch: Program,
    reference: Program,
    cases: Iterable[Sequence[Value]],
    *,
    bits: int | None = SYNTHESIS_BITS,
    timeout: float | None = None,
    solver: str | None = None,
    samples: int = SAMPLES,
    progress: Callable[..., object] | None = None,
) -> Synthesized:
    """Fill in the holes of a sketch so that it gives what a reference gives, for all numbers.

    The holes are those of `solvent.sketch`, anywhere in the kernels and host procedures that the
    sketch consists of, which are in one module.  What is found is written into its source, which is
    run on random numbers.
    """
    chosen = _checked_cases(cases)
    _prepare(sketch, reference)
    inputs = [_symbolic(case, bits, f"{number}.") for number, case in enumerate(chosen)]
    with wide(bits):
        found = search(
            _all_agree,
            sketch,
            reference,
            inputs,
            forall=[inputs],
            timeout=timeout,
            solver=solver,
            samples=samples,
            progress=progress,
        )
    cost = Cost()
    cost.add(found.stats)
    name = _name(sketch)
    common: dict[str, Any] = {"reason": found.reason, "rounds": found.rounds}
    if found.model is None:
        return Synthesized(name, found.status, len(chosen), cost, **common)
    source, completed = fill_in(found, sketch)
    return Synthesized(
        name,
        found.status,
        len(chosen),
        cost,
        **common,
        holes=dict(found.holes),
        source=source,
        completed=completed,
        confirmed=_runs(completed, reference, chosen, bits),
    )


def fill_in(found: Synthesis, sketch: Program) -> tuple[str, Program]:
    """The source of a sketch with the holes filled in, and the program that it defines."""
    filename = sketch.__code__.co_filename
    if filename.startswith("<"):
        # Typed in: each function has a source of its own.
        namespace = dict(sketch.__globals__)
        source = "\n\n".join(
            complete(found, function) for function in _typed_in(sketch) if _has_holes(function)
        )
    else:
        namespace = {"__name__": f"{sketch.__module__}_completed"}
        text = "".join(linecache.getlines(filename, sketch.__globals__))
        source = complete_source(found.model, text, filename)
    name = f"{filename.removesuffix('.py')} completed {next(_numbers)}"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), namespace)
    program = namespace[sketch.__name__]
    if program is sketch:
        program = FunctionType(sketch.__code__, namespace, sketch.__name__, sketch.__defaults__)
    return source, program


_numbers = itertools.count(1)


def _typed_in(sketch: Program) -> list[FunctionType]:
    """The functions and kernels that were typed in where a sketch was."""
    found = []
    for value in sketch.__globals__.values():
        function = value.function if isinstance(value, Kernel) else value
        if isinstance(function, FunctionType) and function.__code__.co_filename.startswith("<"):
            found.append(function)
    return found


def _has_holes(function: FunctionType) -> bool:
    return bool({"choose", "hole"} & set(function.__code__.co_names))


def _runs(
    program: Program, reference: Program, cases: list[Sequence[Value]], bits: int | None
) -> bool:  # fmt: skip
    """Whether a program agrees with its reference on random numbers, in plain Python."""
    source = random.Random(1)
    with wide(bits):
        for case in cases:
            for _ in range(TRIALS):
                if _fails(program, reference, random_numbers(case, bits, source)):
                    return False
    return True
