"""Fault localisation: the expressions that are responsible for a failure (section 2.2).

The failing run is repeated with every value `v` of a selected expression replaced by an unknown
`h`, and the constraint `h == v` belongs to the expression.  The constraints of all expressions
together with "the function ends without failure" have no solution.  A minimal set of expressions
whose constraints have none either is a core: whatever values all other expressions had, the
function would fail, but if any one expression of the core had another value, it need not.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

from solvent.errors import QueryError, SolventError
from solvent.lift.debug_runs import Relaxation
from solvent.lift.function import UNLIFTED
from solvent.lift.rewrite.marking import Place
from solvent.lift.under_model import evaluate
from solvent.queries import verifying
from solvent.queries.asking import Asker, Meter
from solvent.queries.cores import Core, Cores, Undecided
from solvent.queries.problem import Problem
from solvent.queries.rendering import (
    Localisation,
    Suspect,
    in_order,
    sources_of,
    suspect,
)
from solvent.queries.replay import (
    Concretizer,
    plain,
    relative,
    symbolic_surroundings,
    values_under,
)
from solvent.queries.results import Verification
from solvent.queries.run import Run, run
from solvent.solvers.status import Status
from solvent.terms.booleans import ITE, and_, eq
from solvent.terms.model import Model
from solvent.terms.sorts import BitVecSort, BoolSort, FloatSort, IntSort, RealSort, Sort, StringSort
from solvent.terms.term import Term, constants_are
from solvent.terms.values import BV, sort_of
from solvent.vm.machine import current, isolated
from solvent.vm.spread import over_pure
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# The sorts of the values that each type stands for.
_SORTS: dict[type, tuple[type, ...]] = {
    bool: (BoolSort,),
    int: (IntSort,),
    float: (FloatSort, RealSort),
    str: (StringSort,),
    Fraction: (RealSort,),
    BV: (BitVecSort,),
}

# Loops and recursion may go on at least this often.
SMALLEST_BOUND = 2

# Seconds for one check where nothing else is said: each is about one expression only.  The first is
# about all of them, and also tells how fast the machine is now: the others get so many times more.
CHECK_SECONDS = 3.0
FIRST_CHECK_SECONDS = 60.0
TIMES_THE_FIRST = 10

# How many values may be unknown; with more, loops and recursion go on less often.
MOST_UNKNOWNS = 10_000

# How many expressions are given up before the whole query is.
MOST_KEPT = 20


# --- selecting expressions ----------------------------------------------------------------------


@dataclass(slots=True)
class Selection:
    """Which expressions may have other values."""

    kinds: list[type | Sort[Term]] = field(default_factory=list)
    functions: list[CodeType] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    predicates: list[Callable[[Value, Place], object]] = field(default_factory=list)

    def accepts(self, value: Value) -> bool:
        """Whether a value is of one of the selected types and sorts."""
        if type(value) not in _SORTS and not isinstance(value, Term):
            return False
        sort = sort_of(value)
        if not self.kinds:
            return isinstance(sort, tuple(kind for kinds in _SORTS.values() for kind in kinds))
        return any(
            sort is kind if isinstance(kind, Sort) else isinstance(sort, _SORTS[kind])
            for kind in self.kinds
        )

    def covers(self, place: Place, values: list[Value]) -> bool:
        """Whether an expression that had these values is selected."""
        if (self.functions or self.modules) and not (
            place.code in self.functions
            or any(f"{place.module}.".startswith(f"{name}.") for name in self.modules)
        ):
            return False
        values = [value for value in values if self.accepts(value)]
        return bool(values) and all(
            any(predicate(value, place) for value in values) for predicate in self.predicates
        )


def selection(select: object) -> Selection:
    """The selection that a user describes: one criterion or several."""
    result = Selection()
    for found in select if isinstance(select, (tuple, list, set)) else [select]:
        _add(result, found)
    return result


def _add(result: Selection, found: object) -> None:
    if found is None:
        return
    function = plain(found)
    if isinstance(found, Sort) or (isinstance(found, type) and found in _SORTS):
        result.kinds.append(found)
    elif isinstance(found, ModuleType):
        result.modules.append(found.__name__)
    elif isinstance(found, str):
        result.modules.append(found)
    elif isinstance(function, (FunctionType, MethodType)):
        if list(inspect.signature(function).parameters) == ["value", "place"]:
            result.predicates.append(function)
        else:
            result.functions.extend(_codes(function.__code__))
    elif isinstance(found, type):
        methods = [plain(getattr(f, "__func__", f)) for f in vars(found).values()]
        for method in methods:
            if isinstance(method, FunctionType):
                result.functions.extend(_codes(method.__code__))
    elif callable(found):
        result.predicates.append(found)
    else:
        raise QueryError(
            f"select={found!r} is not a type of values (bool, int, float, str, Fraction, BV), a "
            "sort, a function, a class, a module or a predicate on (value, place)"
        )


def _codes(code: CodeType) -> list[CodeType]:
    """The code of a function and of those inside of it."""
    inner = [_codes(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(found for codes in inner for found in codes)]


# --- runs ---------------------------------------------------------------------------------------


class Observation(Relaxation):
    """A failing run as it is: the values of all expressions, and how often loops run."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[Place, list[Value]] = {}
        self.most = 0
        # Frames are kept, so that no two have one identity.
        self.frames: dict[int, FrameType] = {}
        self.counts: dict[tuple[int, Place | int], int] = {}

    def relax(self, value: Value, place: Place, read: bool) -> Value:
        """Note a value."""
        if type(value) in _SORTS:
            self.values.setdefault(place, []).append(value)
        frame = sys._getframe(2)
        if id(frame) not in self.frames:
            self.frames[id(frame)] = frame
            self.most = max(self.most, _depth(frame))
        if frame.f_code.co_name == "<comprehension>":
            self.count(id(frame), place)
        return value

    def enter_loop(self, number: int) -> None:
        """A loop starts: count anew."""
        self.counts[id(sys._getframe(2)), number] = 0

    def step_loop(self, number: int) -> None:
        """A loop goes on."""
        self.count(id(sys._getframe(2)), number)

    def count(self, frame: int, what: Place | int) -> None:
        """Something happens once more."""
        times = self.counts[frame, what] = self.counts.get((frame, what), 0) + 1
        self.most = max(self.most, times)


def _depth(frame: FrameType) -> int:
    """How often the function of a frame is being called."""
    depth = 0
    found: FrameType | None = frame
    while found is not None:
        depth += found.f_code is frame.f_code
        found = found.f_back
    return depth


@dataclass(slots=True)
class Row:
    """One evaluation of an expression: its place, what stands for its value, and the value."""

    place: Place
    unknown: Term
    value: Value
    path: Guard


class TooManyUnknowns(QueryError):
    """A run with so many unknowns that no solver would find an answer."""


class Unknowns(Relaxation):
    """A run in which values of some expressions are unknowns."""

    def __init__(self, chosen: Iterable[Place], wanted: Selection) -> None:
        super().__init__()
        self.chosen = set(chosen)
        self.wanted = wanted
        self.rows: list[Row] = []
        self.unknowns: set[Term] = set()

    def relax(self, value: Value, place: Place, read: bool) -> Value:
        """An unknown instead of a value, unless that was one before and is only passed on."""
        if place not in self.chosen:
            return value
        if type(value) is Union:
            return over_pure(value, lambda member: self.relax(member, place, read))
        if not self.wanted.accepts(value) or (read and self.is_passed_on(value)):
            return value
        with constants_are(None):
            unknown: Term = sort_of(value).fresh(place.text)
        if len(self.rows) >= MOST_UNKNOWNS:
            raise TooManyUnknowns(
                f"there are more than {MOST_UNKNOWNS:,} values that may differ; select fewer "
                "expressions, or set a smaller bound"
            )
        self.unknowns.add(unknown)
        self.rows.append(Row(place, unknown, value, current().state.path.term))
        return unknown

    def is_passed_on(self, value: Value) -> bool:
        """Whether a value is an unknown, whichever path was taken."""
        stack = [value]
        while stack:
            value = stack.pop()
            if isinstance(value, Term) and value.op.base is ITE:
                stack.extend(value.key[2:])
            elif value not in self.unknowns:
                return False
        return True

    def constraints(self) -> dict[Place, Guard]:
        """For each expression that its values are what they were."""
        found: dict[Place, list[Guard]] = {}
        for row in self.rows:
            found.setdefault(row.place, []).append(eq(row.unknown, row.value))
        return {place: and_(*parts) for place, parts in found.items()}


class Failing:
    """A function on concrete inputs with which it fails."""

    def __init__(self, problem: Problem, model: Model, bound: int | None) -> None:
        self.model = model
        self.function = plain(problem.function)
        if symbolic_surroundings(problem.function):
            self.function = Concretizer(model).function(problem.function)
        self.args, self.named = evaluate((problem.inputs.args, problem.inputs.named), model)
        self.bound = bound

    @property
    def code(self) -> CodeType | None:
        """The code of the function."""
        function = getattr(self.function, "__func__", self.function)
        code: CodeType | None = getattr(function, "__code__", None)
        return code

    @isolated
    def run(self, relaxation: Relaxation) -> Run:
        """Run the function with its expressions marked."""
        with (
            relaxation,
            constants_are(values_under(self.model)),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            relaxation.meet_value((self.args, self.named))
            function = relaxation.marked(self.function)[0]
            return run(function, self.args, self.named, bound=self.bound, unwinding="assume")

    def attempt(self, unknowns: Unknowns) -> Run | SolventError:
        """Run with unknowns, or why that is not possible."""
        try:
            return self.run(unknowns)
        except RecursionError:
            return QueryError("the recursion is too deep with other values")
        except SolventError as error:
            return error


@dataclass(slots=True)
class Relaxed:
    """A run with unknowns, and the expressions that had to be kept as they are, with reasons."""

    run: Run
    unknowns: Unknowns
    kept: dict[Place, str]

    @property
    def normal(self) -> Guard:
        """The condition under which the function ends without failure."""
        outcome = self.run.outcome
        return False if outcome.halted else and_(self.run.assumes, outcome.asserts)


def relaxed_run(failing: Failing, places: list[Place], wanted: Selection) -> Relaxed:
    """Run with as many unknowns as symbolic execution supports."""
    kept: dict[Place, str] = {}
    while True:
        unknowns = Unknowns([place for place in places if place not in kept], wanted)
        result = failing.attempt(unknowns)
        if isinstance(result, Run):
            return Relaxed(result, unknowns, kept)
        assert failing.bound is not None
        if isinstance(result, TooManyUnknowns) and failing.bound > SMALLEST_BOUND:
            failing.bound = max(SMALLEST_BOUND, failing.bound // 2)
            continue
        if isinstance(result, TooManyUnknowns) or not unknowns.rows or len(kept) >= MOST_KEPT:
            raise result
        met = list(dict.fromkeys(row.place for row in unknowns.rows))
        kept[_culprit(failing, met, wanted)] = str(result)


def _culprit(failing: Failing, met: list[Place], wanted: Selection) -> Place:
    """An expression that makes the run impossible together with those that came before it."""
    good, bad = 0, len(met)
    while bad - good > 1:
        middle = (good + bad) // 2
        if isinstance(failing.attempt(Unknowns(met[:middle], wanted)), Run):
            good = middle
        else:
            bad = middle
    return met[bad - 1]


# --- the query ----------------------------------------------------------------------------------


def debug(
    asker: Asker,
    problem: Problem,
    meter: Meter,
    *,
    select: object = None,
    limit: int | None = 1,
    bound: int | None = None,
) -> Localisation:
    """The cores of a failure, as many as wanted."""
    if UNLIFTED:
        raise QueryError("`debug` needs lifted code, but SOLVENT_UNLIFTED is set")
    if limit is not None and limit < 1:
        raise QueryError(f"limit must be at least 1, not {limit}")
    wanted = selection(select)
    found = verifying.verify(asker, problem, meter)
    if found.model is None:
        return _answer(found, problem, meter, found.status, found.reason)
    return _Localiser(asker, problem, meter, found, wanted).localise(limit, bound)


def _answer(
    found: Verification,
    problem: Problem,
    meter: Meter,
    status: Status,
    reason: str = "",
    **more: Any,
) -> Localisation:
    """What verification found, with what is known about the cause."""
    return Localisation(
        function=found.function, status=status, stats=meter.stats(problem), reason=reason,
        model=found.model, inputs=found.inputs, call=found.call, setup=found.setup,
        texts=found.texts, replay=found.replay, confirmed=found.confirmed, derived=found.derived,
        failure=found.failure, **more,
    )  # fmt: skip


class _Localiser:
    """Finds the cores of one failure."""

    def __init__(
        self,
        asker: Asker,
        problem: Problem,
        meter: Meter,
        found: Verification,
        wanted: Selection,
    ) -> None:
        self.asker = asker
        self.problem = problem
        self.meter = meter
        self.found = found
        self.wanted = wanted

    def localise(self, limit: int | None, bound: int | None) -> Localisation:
        """Find the cores."""
        assert self.found.model is not None
        failing = Failing(self.problem, self.found.model, bound)
        observed = Observation()
        outcome = failing.run(observed).outcome
        if not outcome.halted:
            return self.unknown("the failing run could not be repeated")
        observed.frames.clear()
        if bound is None:
            failing.bound = max(SMALLEST_BOUND, observed.most + 1)
        places = [
            place
            for place, values in observed.values.items()
            if self.wanted.covers(place, values)
            # What the function was given is what it is debugged with.
            and not (place.parameter and place.code is failing.code)
        ]
        relaxed = relaxed_run(failing, places, self.wanted)
        solver = self.asker.solver
        solver.push_only()
        try:
            return self.ask(failing, observed, relaxed, limit)
        finally:
            solver.pop()

    def unknown(self, reason: str, **more: Any) -> Localisation:
        """No answer."""
        return _answer(self.found, self.problem, self.meter, Status.UNKNOWN, reason, **more)

    def ask(
        self, failing: Failing, observed: Observation, relaxed: Relaxed, limit: int | None
    ) -> Localisation:
        """Ask the solver for cores."""
        constraints = relaxed.unknowns.constraints()
        places = list(constraints)
        suspects = [suspect(place, observed.values[place]) for place in places]
        more: dict[str, Any] = {
            "relaxed": in_order(suspects),
            "kept": {_position(place): reason for place, reason in relaxed.kept.items()},
            "bound": failing.bound,
        }
        self.problem = replace(self.problem, run=relaxed.run)
        self.asker.solver.add(relaxed.normal)
        limited = self.asker.solver.timeout is None
        seconds = FIRST_CHECK_SECONDS if limited else None
        cores = Cores(self.asker.solver, list(constraints.values()), self.meter, seconds)
        started = time.perf_counter()
        found: list[Core] = []
        try:
            if cores.check(set(range(len(places)))) is None:
                return self.unknown(
                    "with the same values the symbolic run ends without failure, unlike CPython",
                    **more,
                )
            if limited:
                first = time.perf_counter() - started
                cores.timeout = max(CHECK_SECONDS, TIMES_THE_FIRST * first)
            for core in cores.all():
                found.append(core)
                if limit is not None and len(found) >= limit:
                    break
        except Undecided as undecided:
            cores.exact = False
            if not found:
                reason = f"{undecided}; give more time with `timeout` or select fewer expressions"
                return self.unknown(reason, **more)
        return self.answer(found, cores, suspects, places, relaxed.unknowns, more)

    def answer(
        self,
        found: list[Core],
        cores: Cores,
        suspects: list[Suspect],
        places: list[Place],
        unknowns: Unknowns,
        more: dict[str, Any],
    ) -> Localisation:
        """The cores with all that is known about their expressions."""
        minimal = all(cores.is_minimal(core) for core in found)
        everything = set(range(len(suspects)))
        for number in sorted({number for core in found for number in core}):
            model = cores.model(everything - {number})
            if model is not None:
                values = _values_in(unknowns, places[number], model)
                suspects[number] = replace(suspects[number], instead=values)
        return _answer(
            self.found,
            self.problem,
            self.meter,
            Status.SAT,
            cores=tuple(in_order(suspects[number] for number in core) for core in found),
            minimal=minimal,
            complete=cores.complete,
            sources=sources_of(suspects),
            **more,
        )


def _values_in(unknowns: Unknowns, place: Place, model: Model) -> tuple[Value, ...]:
    """What an expression evaluates to in the run that a model describes."""
    return tuple(
        model.evaluate(row.unknown)
        for row in unknowns.rows
        if row.place == place and model.evaluate(row.path) is True
    )


def _position(place: Place) -> str:
    text = " ".join(place.text.split())
    return f"{relative(place.file)}:{place.line}:{place.column + 1}: `{text}`"
