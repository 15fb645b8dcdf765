"""Synthesis: values for holes with which a function fails on no input (section 2.2).

With holes h and inputs x, the assumptions A(h, x) and the assertions B(h, x) of the symbolic run,
an answer is an h such that A(h, x) implies B(h, x) for all x, and A(h, x) holds for some x: holes
that make nothing of interest are no answer.  So an assumption about holes alone must hold.

`cegis` is counterexample-guided inductive synthesis.  One solver guesses holes that are right for
the inputs met so far, another looks for an input with which they fail; each counterexample adds
what the run says of that input to the first.  Both sides become small when values are put into the
terms, because terms simplify.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from solvent.errors import QueryError
from solvent.lift.reflection import symbolics
from solvent.lift.under_model import evaluate
from solvent.queries import sygus
from solvent.queries.asking import Asker, Check, Meter, make_solver
from solvent.queries.problem import Problem, reason_of
from solvent.queries.replay import Replay, shown, symbolic_surroundings
from solvent.queries.results import Result
from solvent.queries.specialize import specialize
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import AND, NOT, OR, and_, not_, or_
from solvent.terms.graph import applied_functions, constants, reachable, substitute
from solvent.terms.kinds import Concrete
from solvent.terms.model import Model
from solvent.terms.quantifiers import forall as for_all
from solvent.terms.softfloat import external
from solvent.terms.sorts import Bool, Sort
from solvent.terms.term import CONSTANT, Term
from solvent.verdicts import Deadline
from solvent.verdicts.rendering import Json
from solvent.vm.values import Guard, Value

# How often holes are guessed if nothing else is said: over unbounded sorts there may be no end.
DEFAULT_ROUNDS = 1000

# How many of the numbers in random inputs are not zero.
_ONES = 0.25

# How the names of the constants begin that sketches make; they are never inputs by themselves.
HOLES = ("choose@", "hole@")

# Values of constants.
Values = dict[Term, Concrete]
# Is told the round, the guessed holes by name, and the inputs with which they fail, if any.
Progress = Callable[[int, dict[str, Concrete], dict[str, Value] | None], object]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Synthesis(Result):
    """The answer to `synthesize`: values for the holes, if there are any.

    `inputs`, `call` and `replay` are those of one input with the holes filled in; `confirmed` says
    that the plain function ended without failure on the input that the search started with and on
    all counterexamples that it met.
    """

    # The values of the holes by name.
    holes: Mapping[str, Value] = field(default_factory=dict)
    # What the parameters and the variables around the function that hold holes have become.
    filled: Mapping[str, Value] = field(default_factory=dict)
    # The inputs with which guesses failed, in order.
    counterexamples: Sequence[Mapping[str, Value]] = ()
    rounds: int = 0
    method: str = "cegis"

    def headline(self) -> str:
        if self.status is Status.SAT:
            return f"{self.function}: found holes with which no inputs fail"
        if self.status is Status.UNSAT:
            why = f" ({self.reason})" if self.reason else ""
            return f"{self.function}: no holes suit all inputs{why}"
        return f"{self.function}: unknown"

    def details(self) -> Iterator[str]:
        if self.derived:
            spaces = "; ".join(f"{name}: {space}" for name, space in self.derived.items())
            yield f"inputs tried: {spaces}"
        if self.status is Status.UNKNOWN:
            yield f"reason: {self.reason}"
        for name, value in self.holes.items():
            yield f"{name} = {shown(value)}"
        for name, value in self.filled.items():
            if name not in self.holes:
                yield f"{name} = {shown(value)}"
        count = len(self.counterexamples)
        yield f"rounds: {self.rounds}, with {count} counterexample{'' if count == 1 else 's'}"
        if self.replay is not None:
            yield f"{'confirmed' if self.confirmed else 'NOT confirmed'}: CPython {self.replay}"

    def as_dict(self) -> Json:
        result = Result.as_dict(self)
        if self.status is Status.SAT:
            result["holes"] = _shown(self.holes)
            result["filled"] = _shown(self.filled)
        elif self.reason:
            result["reason"] = self.reason
        result["counterexamples"] = [_shown(values) for values in self.counterexamples]
        result["rounds"] = self.rounds
        result["method"] = self.method
        return result


def _shown(values: Mapping[str, Value]) -> dict[str, str]:
    return {name: shown(value) for name, value in values.items()}


# --- what is asked -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sketch:
    """A problem whose constants are holes or inputs, with its conditions taken apart."""

    problem: Problem
    # All inputs, and those of them that the user can have named.
    inputs: list[Term]
    named: list[Term]
    holes: list[Term]
    # The assumptions about holes alone, about inputs alone, and about both.
    about_holes: Guard
    about_inputs: Guard
    about_both: Guard
    # The condition under which nothing fails where the assumptions hold.
    good: Guard

    @property
    def right(self) -> Guard:
        """What must hold for inputs and holes that satisfy the assumptions about one of them."""
        return or_(not_(self.about_both), self.good)

    def failing(self, holes: Values) -> Guard:
        """The condition on inputs under which the function fails with some holes."""
        return and_(self.about_inputs, not_(specialize(self.right, holes)))

    @property
    def assumed(self) -> Guard:
        """All assumptions."""
        return and_(self.about_holes, self.about_inputs, self.about_both)

    def witnessed(self) -> Guard:
        """The condition on holes that there are inputs of interest, which are new constants."""
        if self.about_both is True:
            return True
        renamed = {constant: constant.sort.fresh(constant.name) for constant in self.inputs}
        return substitute(and_(self.about_inputs, self.about_both), renamed)


def sketch(problem: Problem, asker: Asker, forall: object, good: Guard) -> Sketch:
    """Sort out what is a hole, what is an input, and what the assumptions are about."""
    assumed = and_(asker.assumption, problem.run.assumes)
    functions = applied_functions(assumed, good)
    if functions:
        raise QueryError(
            f"{problem.name}: synthesize() cannot fill in the function `{functions[0]}`; use "
            "constants as holes"
        )
    given = _given(problem)
    known = symbolics(list(given.values()))
    if forall is None:
        chosen = [found for found in known if not found.name.startswith(HOLES)]
    else:
        chosen = _chosen(problem, given, forall)
    # What a space limits without using it is no hole.
    used = set(known)
    idle = [c for c in constants(*problem.inputs.assumptions) if c not in used]
    inputs = dict.fromkeys([*chosen, *idle])
    holes = [c for c in dict.fromkeys([*known, *constants(assumed, good)]) if c not in inputs]
    about_holes, about_inputs, about_both = _parted(assumed, set(inputs), set(holes))
    return Sketch(problem, list(inputs), chosen, holes, about_holes, about_inputs, about_both, good)


def _given(problem: Problem) -> dict[str, Value]:
    """The arguments and the symbolic variables around the function, by name."""
    return {**symbolic_surroundings(problem.function), **problem.inputs.values}


def _chosen(problem: Problem, given: dict[str, Value], forall: object) -> list[Term]:
    """The constants in what was given as `forall`."""
    result: list[Term] = []
    for item in forall if isinstance(forall, (list, tuple, set, frozenset)) else [forall]:
        if isinstance(item, str):
            if item not in given:
                raise QueryError(
                    f"{problem.name}: there is no input {item!r} for `forall`, which lists names "
                    "of parameters, terms, and containers of terms"
                )
            item = given[item]
        result += symbolics(item)
    return result


def _parted(assumed: Guard, inputs: set[Term], holes: set[Term]) -> tuple[Guard, Guard, Guard]:
    """The conjuncts about holes, about inputs, and about both."""
    about: dict[Term, int] = {}
    for term in reachable([assumed]):
        if term.op is CONSTANT:
            about[term] = 1 if term in holes else 2 if term in inputs else 0
        else:
            mask = 0
            for arg in term.key[1:]:
                if isinstance(arg, Term):
                    mask |= about[arg]
            about[term] = mask
    # What is about nothing is false, or the solver's business.
    parts: list[list[Guard]] = [[], [], [], []]
    for conjunct in _conjuncts(assumed):
        parts[about.get(conjunct, 0) if isinstance(conjunct, Term) else 2].append(conjunct)
    return and_(*parts[1]), and_(*parts[0], *parts[2]), and_(*parts[3])


def _conjuncts(formula: Guard) -> list[Guard]:
    """The parts of a conjunction, from left to right."""
    result = []
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, Term) and part.op is AND:
            stack += reversed(part.key[1:])
        elif isinstance(part, Term) and part.op is NOT and _is_or(part.key[1]):
            stack += [not_(arg) for arg in reversed(part.key[1].key[1:])]
        else:
            result.append(part)
    return result


def _is_or(term: object) -> bool:
    return isinstance(term, Term) and term.op is OR


# --- the search --------------------------------------------------------------------------------


@dataclass(slots=True)
class Filling:
    """What a search for holes came to."""

    status: Status
    reason: str = ""
    holes: Values | None = None


class Search:
    """A search for holes: the samples that it has met, and the solver that checks guesses."""

    def __init__(
        self,
        asker: Asker,
        sketch: Sketch,
        meter: Meter,
        rounds: int,
        progress: Progress | None = None,
    ) -> None:
        self.asker = asker
        self.sketch = sketch
        self.meter = meter
        self.most = rounds
        self.progress = progress
        self.rounds = 0
        # The inputs to start with, the counterexamples, and the input found for the answer.
        self.samples: list[Values] = []
        self.counterexamples: list[dict[str, Value]] = []
        limit = asker.solver.timeout
        # The time limit is one for the whole query.
        self.deadline = Deadline(limit, "timeout")

    # --- asking ----------------------------------------------------------------------------

    def check(self, solver: Solver, *formulas: Guard) -> Check:
        """Ask for a model of formulas together with what a solver keeps."""
        formula = and_(*formulas)
        if formula is False:
            return Check(Status.UNSAT)
        if formula is True and all(known is True for known in solver.assertions):
            return Check(Status.SAT, model=Model())
        left = self.deadline.left()
        if left == 0:
            return Check(Status.UNKNOWN, self.deadline.message)
        solver.push_only()
        try:
            solver.add(formula)
            split = self.asker.split
            first = left if split is None else min(split.share, left or split.share)
            status = solver.check_for_model(timeout=first)
            self.meter.count(solver)
            if status is Status.UNKNOWN and split is not None and first != left:
                whole = and_(*solver.assertions)
                return self.asker.conquered(split, whole, self.meter, self.deadline.left())
            if status is Status.UNKNOWN:
                late = self.deadline.is_over
                return Check(status, self.deadline.message if late else solver.reason)
            return Check(status, model=solver.model() if status is Status.SAT else None)
        finally:
            solver.pop()

    def values(self, constants: list[Term], model: Model | None) -> Values:
        """The values of constants under a model."""
        assert model is not None
        return {constant: model[constant] for constant in constants}

    def merged(self, holes: Values, inputs: Values) -> Model:
        """The model of holes and inputs."""
        return Model({**holes, **inputs})

    # --- steps -----------------------------------------------------------------------------

    def start(self, samples: int = 0) -> Filling | None:
        """Find an input to start with; an answer if there is none.  More are drawn at random."""
        inputs = self.sketch.inputs
        self.draw(samples)
        zeros = {constant: external(constant.sort.default) for constant in inputs}
        if specialize(self.sketch.about_inputs, zeros) is True:
            self.samples.append(zeros)
            return None
        check = self.check(self.asker.solver, self.sketch.about_inputs)
        if check.status is Status.UNSAT:
            return Filling(Status.UNSAT, "no inputs satisfy the assumptions")
        if check.status is Status.UNKNOWN:
            return Filling(Status.UNKNOWN, check.reason)
        self.samples.append(self.values(inputs, check.model))
        return None

    def draw(self, count: int) -> None:
        """Draw inputs of zeros and ones, with which guessing is easiest."""
        numbers = random.Random(0)
        for _ in range(count):
            values = {constant: _small(constant.sort, numbers) for constant in self.sketch.inputs}
            if specialize(self.sketch.about_inputs, values) is True:
                self.samples.append(values)

    def counterexample(self, holes: Values) -> Check:
        """Inputs with which the function fails with some holes."""
        check = self.check(self.asker.solver, self.sketch.failing(holes))
        if check.model is None:
            return check
        # An irrational value is only approximated, and then may refute nothing.
        inputs = self.values(self.sketch.inputs, check.model)
        if specialize(self.sketch.right, {**holes, **inputs}) is True:
            return Check(Status.UNKNOWN, "a counterexample has values that are not rational")
        return check

    def is_of_interest(self, holes: Values) -> Check:
        """Whether some inputs satisfy the assumptions with some holes."""
        if self.sketch.about_both is True:
            return Check(Status.SAT)
        for inputs in self.samples:
            if specialize(self.sketch.assumed, {**holes, **inputs}) is True:
                return Check(Status.SAT)
        check = self.check(self.asker.solver, specialize(self.sketch.assumed, holes))
        if check.model is not None:
            self.samples.append(self.values(self.sketch.inputs, check.model))
        return check

    def judged(self, holes: Values) -> Filling:
        """What a candidate that another method found is worth."""
        check = self.counterexample(holes)
        if check.status is Status.UNSAT:
            check = self.is_of_interest(holes)
            if check.status is Status.SAT:
                return Filling(Status.SAT, holes=holes)
        reason = (
            check.reason if check.status is Status.UNKNOWN else "the values found are not exact"
        )
        return Filling(Status.UNKNOWN, reason)

    def tell(self, holes: Values, inputs: Values | None) -> None:
        """Note a counterexample, and say how the search goes."""
        values = None if inputs is None else self.named_inputs(holes, inputs)
        if values is not None:
            self.counterexamples.append(values)
        if self.progress is not None:
            self.progress(self.rounds, by_name(holes), values)

    def named_inputs(self, holes: Values, inputs: Values) -> dict[str, Value]:
        """The parameters and variables that depend on inputs, with holes and inputs filled in."""
        known = set(self.sketch.inputs)
        given = _given(self.sketch.problem)
        around = set(symbolics(given))
        found = {
            constant.name: constant for constant in self.sketch.named if constant not in around
        }
        for name, value in given.items():
            if any(constant in known for constant in symbolics(value)):
                found[name] = value
        result: dict[str, Value] = evaluate(found, self.merged(holes, inputs))
        return result

    # --- methods ---------------------------------------------------------------------------

    def cegis(self) -> Filling:
        """Guess and check until a guess is right or none is left."""
        with make_solver(self.asker.name, None) as guesser:
            guesser.add(self.sketch.about_holes)
            for inputs in self.samples:
                guesser.add(specialize(self.sketch.right, inputs))
            while self.rounds < self.most:
                self.rounds += 1
                found = self.round(guesser)
                if found is not None:
                    return found
        return Filling(Status.UNKNOWN, f"no answer after {self.rounds} rounds")

    def round(self, guesser: Solver) -> Filling | None:
        """Guess, check, and tell the guesser what is wrong; an answer if there is one."""
        guess = self.check(guesser)
        if guess.model is None:
            return Filling(guess.status, guess.reason)
        holes = self.values(self.sketch.holes, guess.model)
        check = self.counterexample(holes)
        if check.status is Status.UNKNOWN:
            return Filling(Status.UNKNOWN, check.reason)
        if check.model is None:
            self.tell(holes, None)
            check = self.is_of_interest(holes)
            if check.status is Status.SAT:
                return Filling(Status.SAT, holes=holes)
            if check.status is Status.UNKNOWN:
                return Filling(Status.UNKNOWN, check.reason)
            # From now on the guesser must find inputs of interest along with the holes.
            guesser.add(self.sketch.witnessed())
            return None
        inputs = self.values(self.sketch.inputs, check.model)
        if guess.model.inexact and inputs in self.samples:
            name = guess.model.inexact[0].name
            return Filling(Status.UNKNOWN, f"the hole {name} would have to be irrational")
        self.samples.append(inputs)
        self.tell(holes, inputs)
        guesser.add(specialize(self.sketch.right, inputs))
        return None

    def quantified(self) -> Guard:
        """The whole question as a formula about holes."""
        sketch = self.sketch
        right = or_(not_(sketch.about_inputs), sketch.right)
        return and_(sketch.about_holes, for_all(sketch.inputs, right), sketch.witnessed())

    def quantifiers(self) -> Filling:
        """Ask one solver one question with quantifiers."""
        self.rounds = 1
        with make_solver(self.asker.name, None) as solver:
            check = self.check(solver, self.quantified())
        if check.model is None:
            return Filling(check.status, check.reason)
        return self.judged(self.values(self.sketch.holes, check.model))

    def sygus(self) -> Filling:
        """Ask cvc5's engine for syntax-guided synthesis; holes are functions without arguments."""
        self.rounds = 1
        sketch = self.sketch
        right = or_(not_(sketch.about_inputs), sketch.right)
        formula = and_(sketch.about_holes, right, sketch.witnessed())
        started = time.perf_counter()
        check = sygus.ask(formula, sketch.inputs, self.deadline.left())
        self.meter.checks += 1
        self.meter.seconds += time.perf_counter() - started
        if check.model is None:
            found = Filling(check.status, check.reason)
        else:
            found = self.judged(self.values(sketch.holes, check.model))
        self.meter.solver = "cvc5"
        return found


def _small(sort: Sort[Term], numbers: random.Random) -> Concrete:
    """A random value of a sort, mostly zero."""
    if numbers.random() < _ONES:
        found = sort.coerce(True if sort is Bool else 1)
        if found is not NotImplemented:
            one: Concrete = external(found)
            return one
    zero: Concrete = external(sort.default)
    return zero


def by_name(values: Values) -> dict[str, Concrete]:
    """Values of constants by the names of these."""
    result: dict[str, Concrete] = {}
    for constant, value in values.items():
        name = constant.name
        result[name if name not in result else f"{name}: {constant.sort}"] = value
    return result


METHODS: dict[str, Callable[[Search], Filling]] = {
    "cegis": Search.cegis,
    "quantifiers": Search.quantifiers,
    "sygus": Search.sygus,
}


def synthesize(
    asker: Asker,
    problem: Problem,
    meter: Meter,
    *,
    forall: object = None,
    method: str = "cegis",
    progress: Progress | None = None,
    rounds: int | None = None,
    samples: int = 0,
) -> Synthesis:
    """Values for the holes."""
    if method not in METHODS:
        raise QueryError(f"there is no method {method!r}; known are {', '.join(METHODS)}")
    most = DEFAULT_ROUNDS if rounds is None else rounds
    outcome = problem.run.outcome
    good: Guard = False if outcome.halted else outcome.asserts
    asked = sketch(problem, asker, forall, good)
    search = Search(asker, asked, meter, most, progress)
    found = search.start(samples) or METHODS[method](search)
    if found.status is Status.UNSAT and problem.out_of_bounds is not False:
        found = beyond_bounds(search, forall, method)
    return _synthesis(search, found, method)


def beyond_bounds(search: Search, forall: object, method: str) -> Filling:
    """No holes do within the bounds: whether some might with larger ones."""
    problem = search.sketch.problem
    good = not_(or_([failure.condition for failure in problem.failures]))
    relaxed = Search(
        search.asker,
        sketch(problem, search.asker, forall, good),
        search.meter,
        search.most,
    )
    relaxed.deadline = search.deadline
    found = relaxed.start() or METHODS[method](relaxed)
    if found.holes is None:
        return found
    return Filling(Status.UNKNOWN, reason_of(problem.limits[0]))


def _synthesis(search: Search, found: Filling, method: str) -> Synthesis:
    problem = search.sketch.problem
    common: dict[str, Any] = {
        "function": problem.name,
        "status": found.status,
        "reason": found.reason,
        "derived": problem.inputs.derived,
        "counterexamples": tuple(search.counterexamples),
        "rounds": search.rounds,
        "method": method,
    }
    if found.holes is None:
        return Synthesis(**common, stats=search.meter.stats(problem))
    holes = found.holes
    model = Model(holes)
    inputs, replayed, confirmed = replayed_on_samples(search, holes)
    written = problem.written(search.merged(holes, inputs))
    return Synthesis(
        **common,
        model=model,
        holes=by_name(holes),
        filled=_filled(search, model),
        inputs=search.named_inputs(holes, inputs),
        call=written.call,
        setup=written.setup,
        texts=written.texts,
        replay=replayed,
        confirmed=confirmed,
        stats=search.meter.stats(problem),
    )


def _filled(search: Search, model: Model) -> dict[str, Value]:
    inputs = set(search.sketch.inputs)
    found = {}
    for name, value in _given(search.sketch.problem).items():
        inside = symbolics(value)
        if inside and not any(constant in inputs for constant in inside):
            found[name] = value
    result: dict[str, Value] = evaluate(found, model)
    return result


def replayed_on_samples(search: Search, holes: Values) -> tuple[Values, Replay, bool]:
    """A sample with what CPython makes of it, and whether all samples end without failure."""
    example: tuple[Values, Replay] | None = None
    for inputs in search.samples:
        if specialize(search.sketch.assumed, {**holes, **inputs}) is False:
            # With these holes nobody is interested in that input.
            continue
        replayed = search.sketch.problem.replay(search.merged(holes, inputs))
        if replayed.returned is not True:
            return inputs, replayed, False
        example = example or (inputs, replayed)
    assert example is not None, "no sample is of interest"
    return *example, True
