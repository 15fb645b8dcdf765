"""The theorems of sections 4 and 5, checked on single programs.

Each check returns None, or says in one line how the theorem is violated.  A check takes a test (a
program with the sorts of its free variables), or a `Run`, which evaluates a test once for all
checks, with any evaluator:

>>> from solvent.reference.syntax import parse
>>> run = Run(Test.of(parse("(if x (error) y)"), {"x": "bool", "y": "int"}))
>>> [check(run) for check in CHECKS.values()]
[None, None, None, None, None, None, None, None]

"For all models" is read as all models of a small domain: see `models`.  An evaluation that is stuck
satisfies every theorem but that of termination.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from random import Random
from typing import Any

from solvent.reference.concrete import (
    DEFAULT_FUEL,
    Abt,
    Ans,
    Closure,
    Environment,
    Err,
    Outcome,
    Stuck,
    Value,
    evaluate,
    same_outcome,
)
from solvent.reference.enumeration import Test
from solvent.reference.expressions import Node, Symbol
from solvent.reference.factory import (
    Factory,
    Halt,
    Out,
    Result,
    State,
    SymBool,
    SymClosure,
    SymValue,
    bits_under,
    environment_under,
    legal_with,
    lift_environment,
    outcome_with,
)
from solvent.reference.naive import GuardedUnion, NaiveFactory
from solvent.reference.optimised import Procedure
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import Expression, Lambda, has_calls, show
from solvent.reference.toy import Phi
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.kinds import Guard
from solvent.terms.model import Model as TermModel
from solvent.terms.term import Term
from solvent.vm.union import Union, choices_of

# Models that are tried for one program, at most.
MOST_MODELS = 64

# The integers of the small domain: the largest of these sets with which there are few models.
INTEGERS = ((0, 1, -1, 2, 3), (0, 1, -1), (0, 1))

# Seconds that a query may take; it diverges otherwise.
SOLVER_SECONDS = 60.0


def models(sorts: Mapping[str, str], most: int = MOST_MODELS) -> list[dict[str, bool | int]]:
    """All models of a small domain, or random ones of the largest if all have too many.

    >>> models({"p": "bool", "z": "int"}, 6)
    [{'p': False, 'z': 0}, {'p': False, 'z': 1}, {'p': False, 'z': -1}, \
{'p': True, 'z': 0}, {'p': True, 'z': 1}, {'p': True, 'z': -1}]
    """
    for integers in INTEGERS:
        domains = _domains(sorts, integers)
        if prod(map(len, domains)) <= most:
            return [dict(zip(sorts, values, strict=True)) for values in product(*domains)]
    random = Random(0)
    domains = _domains(sorts, INTEGERS[0])
    return [
        {name: random.choice(domain) for name, domain in zip(sorts, domains, strict=True)}
        for _ in range(most)
    ]


def _domains(sorts: Mapping[str, str], integers: Sequence[int]) -> list[Sequence[bool | int]]:
    return [integers if sort == "int" else (False, True) for sort in sorts.values()]


class Run:
    """A test, evaluated symbolically, and concretely under all models of the small domain."""

    def __init__(
        self,
        test: Test,
        evaluator: SymbolicEvaluator | None = None,
        fuel: int = DEFAULT_FUEL,
        most: int = MOST_MODELS,
        found: Result | None = None,
    ) -> None:
        self.program = test.program
        self.sorts = test.sorts
        self.evaluator = SymbolicEvaluator(NaiveFactory()) if evaluator is None else evaluator
        self.factory: Any = self.evaluator.factory
        self.fuel = fuel
        self.models = models(test.sorts, most)
        self.environment = {x: self.factory.symbolic(x, sort) for x, sort in test.sorts.items()}
        if found is not None:
            # The result is known already, by the same evaluator in the same environment.
            self.result = found

    def evaluate(
        self, environment: Mapping[str, SymValue], fuel: int | None = None
    ) -> Result | None:
        """The symbolic result in an environment, or None if the evaluation is stuck."""
        try:
            return self.evaluator.evaluate(
                self.program, environment, fuel=self.fuel if fuel is None else fuel
            )
        except Stuck:
            return None

    @cached_property
    def result(self) -> Result | None:
        """The symbolic result, or None if the evaluation is stuck."""
        return self.evaluate(self.environment)

    @cached_property
    def concrete(self) -> list[Outcome | None]:
        """The concrete outcome under each model; None where the evaluation is stuck."""
        return [self.outcome(model) for model in self.models]

    @cached_property
    def interpreted(self) -> list[Outcome]:
        """What the symbolic result is under each model, if there is one."""
        found = self.result
        if found is None:
            return []
        return [
            outcome_with(self.factory, model, found, bits)
            for model, bits in zip(self.models, self.bits, strict=True)
        ]

    @cached_property
    def bits(self) -> list[tuple[bool, bool]]:
        """What the final state is under each model, if there is one."""
        found = self.result
        if found is None:
            return []
        return [bits_under(self.factory, model, found.state) for model in self.models]

    def outcome(self, environment: Environment) -> Outcome | None:
        """The concrete outcome in an environment, or None if the evaluation is stuck."""
        try:
            return evaluate(self.program, environment, self.fuel)
        except Stuck:
            return None


def _run(test: Test | Run) -> Run:
    return test if isinstance(test, Run) else Run(test)


# --- theorems 2 to 6 ---------------------------------------------------------------------------


def check_legality(test: Test | Run) -> str | None:
    """Theorem 2: from the initial state, which is legal, an evaluation leads to a legal result."""
    run = _run(test)
    for model, bits in zip(run.models, run.bits, strict=False):
        assert run.result is not None
        if not legal_with(run.result, bits):
            assumes, asserts = bits
            return f"{_short(run.result)} is not legal under {model}: " + (
                f"its assumptions are {assumes}, its assertions {asserts}"
            )
    return None


def check_reducibility(test: Test | Run) -> str | None:
    """Theorem 3: in a lifted concrete environment, the result is the lifted concrete one."""
    run = _run(test)
    for model, outcome in zip(run.models, run.concrete, strict=True):
        found = run.evaluate(lift_environment(run.factory, model))
        if (found is None) != (outcome is None):
            which = "symbolic" if found is None else "concrete"
            return f"in the lifted environment of {model} only the {which} evaluation is stuck"
        if found is None or outcome is None:
            continue
        if not is_lifted_outcome(run.factory, found, outcome):
            return f"in the lifted environment of {model} the result is {_short(found)}, " + (
                f"which is not the lifted {_short(outcome)}"
            )
    return None


def check_determinism(test: Test | Run) -> str | None:
    """Theorem 4: a second evaluation has the same result, node by node."""
    run = _run(test)
    again = run.evaluate(run.environment)
    if identical(run.result, again):
        return None
    return f"a second evaluation has a different result: {_short(run.result)}, {_short(again)}"


def check_soundness(test: Test | Run) -> str | None:
    """Theorem 5: the symbolic result is the concrete one under every model."""
    run = _run(test)
    for model, outcome, found in zip(run.models, run.concrete, run.interpreted, strict=False):
        if outcome is not None and not same_outcome(outcome, found):
            return f"under {model} the outcome is {_short(outcome)}, but not symbolically: " + (
                _short(found)
            )
    return None


def check_completeness(test: Test | Run) -> str | None:
    """Theorem 5: what the symbolic result is under some model, is the outcome of a concrete run."""
    run = _run(test)
    for model, found in zip(run.models, run.interpreted, strict=False):
        outcome = run.outcome(environment_under(run.factory, model, run.environment))
        if outcome is not None and same_outcome(outcome, found):
            continue
        if not any(other is not None and same_outcome(other, found) for other in run.concrete):
            return f"the symbolic result is {_short(found)} under {model}, but no concrete one is"
    return None


def check_termination(test: Test | Run) -> str | None:
    """Theorem 6: the evaluation of a program without calls terminates."""
    run = _run(test)
    if has_calls(run.program):
        return None
    if run.evaluate(run.environment, fuel=0) is None:
        return "the program has no calls, but its evaluation is stuck"
    return None


# --- queries -----------------------------------------------------------------------------------


class NoAnswer(Stuck):
    """A solver gave no answer in time."""


def solve(b: Guard) -> TermModel | None:
    """Definition 6: a model under which a term holds, or None if there is none.

    >>> from solvent.terms import Int
    >>> solve(Int("z") == 3), solve(False)
    (Model({z: 3}), None)
    """
    if b is False:
        return None
    with Solver.for_query([b], timeout=SOLVER_SECONDS) as solver:
        solver.add(b)
        status = solver.check_for_model()
        if status == Status.UNKNOWN:
            raise NoAnswer(f"the solver gives no answer: {solver.reason}")
        return solver.model() if status == Status.SAT else None


def guess(test: Test | Run) -> dict[str, Value] | None:
    """Definition 7: an environment in which the program executes normally, or None.

    >>> from solvent.reference.syntax import parse
    >>> guess(Test.of(parse("(if p #t (abort))")))
    {'p': True}
    """
    return _query(_run(test), lambda f, sigma: f.and_(sigma.assumes, sigma.asserts))


def verify(test: Test | Run) -> dict[str, Value] | None:
    """Definition 7: an environment in which the program errors, or None.

    >>> from solvent.reference.syntax import parse
    >>> verify(Test.of(parse("(if p #t (abort))"))) is None
    True
    """
    return _query(_run(test), lambda f, sigma: f.and_(sigma.assumes, f.not_(sigma.asserts)))


def _query(run: Run, goal: Callable[[Any, State], SymBool]) -> dict[str, Value] | None:
    if run.result is None:
        raise Stuck("the evaluation of the program is stuck")
    model = solve(run.factory.term(goal(run.factory, run.result.state)))
    return None if model is None else environment_under(run.factory, model, run.environment)


def check_guess(test: Test | Run) -> str | None:
    """Theorem 7: what `guess` finds is normal, and if it finds nothing, nothing is."""
    return _check_query(_run(test), guess, Ans, "normal")


def check_verify(test: Test | Run) -> str | None:
    """Theorem 8: what `verify` finds errs, and if it finds nothing, nothing does."""
    return _check_query(_run(test), verify, Err, "an error")


def _check_query(
    run: Run, query: Callable[[Run], dict[str, Value] | None], wanted: type, name: str
) -> str | None:
    try:
        environment = query(run)
    except Stuck:
        return None
    if environment is None:
        for model, outcome in zip(run.models, run.concrete, strict=True):
            if isinstance(outcome, wanted):
                return f"{query.__name__} finds nothing, but the outcome under {model} is {name}"
        return None
    outcome = run.outcome(environment)
    if isinstance(outcome, wanted):
        return None
    return f"{query.__name__} finds {environment}, but the outcome there is not {name}"


CHECKS: dict[str, Callable[[Test | Run], str | None]] = {
    "legality": check_legality,
    "reducibility": check_reducibility,
    "determinism": check_determinism,
    "soundness": check_soundness,
    "completeness": check_completeness,
    "termination": check_termination,
    "guess": check_guess,
    "verify": check_verify,
}


def violations(
    test: Test | Run, names: Sequence[str] = tuple(CHECKS), **options: Any
) -> dict[str, str]:
    """The violated ones among the theorems, with descriptions; options are those of `Run`.

    >>> from solvent.reference.syntax import parse
    >>> violations(Test.of(parse("(+ x p)")))
    {}
    """
    run = test if isinstance(test, Run) else Run(test, **options)
    found = {name: CHECKS[name](run) for name in names}
    return {name: violation for name, violation in found.items() if violation is not None}


# --- equality of representations ---------------------------------------------------------------


def is_lifted_outcome(factory: Factory, found: Result, outcome: Outcome) -> bool:
    """Whether a symbolic result is a lifted concrete one (definition 5)."""
    state = found.state
    if isinstance(outcome, Ans):
        both = factory.is_tt(state.assumes) and factory.is_tt(state.asserts)
        return isinstance(found, Out) and both and is_lifted(factory, found.value, outcome.value)
    if not isinstance(found, Halt):
        return False
    if isinstance(outcome, Abt):
        return factory.is_ff(state.assumes) and factory.is_tt(state.asserts)
    return factory.is_tt(state.assumes) and factory.is_ff(state.asserts)


def is_lifted(factory: Factory, symbolic: SymValue, value: Value) -> bool:
    """Whether a symbolic value is a lifted concrete one (definition 5).

    >>> is_lifted(NaiveFactory(), (1, True), (1, True)), is_lifted(NaiveFactory(), 1, True)
    (True, False)
    """
    pairs: list[tuple[SymValue, Value]] = [(symbolic, value)]
    seen = set()
    while pairs:
        v, w = pairs.pop()
        if (id(v), id(w)) in seen:
            continue
        seen.add((id(v), id(w)))
        if isinstance(w, Closure):
            inner = _lifted_closure(factory, v, w)
        elif isinstance(w, tuple):
            matches = isinstance(v, tuple) and len(v) == len(w)
            inner = list(zip(v, w, strict=True)) if matches else None
        else:
            inner = [] if type(v) is type(w) and v == w else None
        if inner is None:
            return False
        pairs += inner
    return True


def _lifted_closure(
    factory: Factory, v: SymValue, w: Closure
) -> list[tuple[SymValue, Value]] | None:
    """What else must be lifted if a value is a lifted closure, which it is not if None."""
    found = factory.cast(v)
    if isinstance(v, (Phi, GuardedUnion, Union)) or len(found) != 1:
        return None
    guard, closure = found[0]
    if not factory.is_tt(guard) or (closure.variable, closure.body) != (w.variable, w.body):
        return None
    if set(closure.environment) != set(w.environment):
        return None
    return [(inner, w.environment[x]) for x, inner in closure.environment.items()]


def identical(a: object, b: object) -> bool:
    """Whether two symbolic results, or parts of them, are the same node by node.

    >>> identical(Out(State(True, Node("!", 1)), 2), Out(State(True, Node("!", 1)), 2))
    True
    >>> identical(1, True)
    False
    """
    pairs = [(a, b)]
    seen = set()
    # What is made while comparing must not be freed, or its identity could be used again.
    kept = []
    while pairs:
        a, b = pairs.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        inside_a, inside_b = _inside(a), _inside(b)
        kept.append((inside_a, inside_b))
        if type(a) is not type(b) or len(inside_a) != len(inside_b):
            return False
        if not inside_a and (isinstance(a, Term) or a != b):
            # Different terms are different nodes.
            return False
        pairs += zip(inside_a, inside_b, strict=True)
    return True


def _inside(value: object) -> tuple[object, ...]:
    """What something consists of, directly; nothing if it is an atom."""
    match value:
        case Out(state, inner):
            return (state, inner)
        case Halt(state):
            return (state,)
        case State(assumes, asserts):
            return (assumes, asserts)
        case Node():
            return (value.operator, *value.operands)
        case Symbol():
            return (value.name, value.sort)
        case Phi():
            return (value.guard, value.then, value.otherwise)
        case GuardedUnion():
            return value.choices
        case Union():
            return choices_of(value)
        case Procedure():
            return (value.closure,)
        case SymClosure():
            rows = tuple(value.environment.items())
            return (value.variable, _Same(value.body), *rows)
        case tuple() | list():
            return tuple(value)
        case _:
            return ()


@dataclass(frozen=True)
class _Same:
    """An atom that is equal to others as its content is."""

    content: Expression


def _short(shown: object) -> str:
    """A result or value for a message; environments, which may be huge, are left out."""
    match shown:
        case None:
            return "stuck"
        case Ans(value) | Out(_, value):
            text = f"{type(shown).__name__}({_short(value)})"
        case Err() | Abt() | Halt():
            text = type(shown).__name__
        case Closure(x, body) | SymClosure(x, body) | Procedure(closure=SymClosure(x, body)):
            text = show(Lambda(x, body))
        case tuple():
            text = f"({' '.join([_short(item) for item in shown[:10]])})"
        case Phi() | GuardedUnion() | Union():
            text = "a choice"
        case _:
            text = repr(shown)
    return text if len(text) <= 200 else f"{text[:200]}..."
