"""Faults that are put in on purpose, one at a time, to show that the generated programs find them.

The eleven of table 2 of the paper are in the naive factory and in the rules.  The others are in the
virtual machine: in its merging, unions, forks, exits and failures, and in its journal of writes.  A
fault is caught by the first program on which a broken route and a sound one disagree, or on which
the broken one fails.

>>> find("IFSYM swaps the guards when it merges", Suite(20)).program
'(if p #f #f)'
"""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial

from solvent.depth import deep_recursion
from solvent.reference.concrete import DEFAULT_FUEL, Stuck
from solvent.reference.differential import (
    ROUTES,
    Route,
    by_rules,
    shared_oracle,
    time_limit,
)
from solvent.reference.enumeration import Test, tests
from solvent.reference.expressions import Tree
from solvent.reference.factory import (
    Halt,
    Out,
    Result,
    State,
    SymBool,
    SymClosure,
    SymEnvironment,
    SymValue,
)
from solvent.reference.naive import NaiveFactory
from solvent.reference.oracle import SECONDS_PER_QUESTION, Account
from solvent.reference.shrinking import shrink
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import Expression, show
from solvent.terms.booleans import not_
from solvent.verdicts import Answer, Finding, OutOfTime, Verdict
from solvent.vm import forks, journal, merge, owned, spread
from solvent.vm.forks import Fork
from solvent.vm.journal import Layer
from solvent.vm.machine import Machine
from solvent.vm.places import ATTRIBUTES, ITEMS, Kind
from solvent.vm.scopes import Scope
from solvent.vm.state import Path
from solvent.vm.union import Choices
from solvent.vm.values import Guard, Value, Values

# --- table 2 -----------------------------------------------------------------------------------


def is_literal(b: SymBool) -> bool:
    """Whether a symbolic Boolean or integer is a constant."""
    return isinstance(b, int)


class AndIsFirst(NaiveFactory):
    """and(b1, b2) is b1 where both are symbolic"""

    def and_(self, a: SymBool, b: SymBool) -> SymBool:
        """Drop the second operand."""
        return super().and_(a, b) if is_literal(a) or is_literal(b) else a


class OrIsTrue(NaiveFactory):
    """or(b, b) is tt where b is symbolic"""

    def or_(self, a: SymBool, b: SymBool) -> SymBool:
        """True if the operands are the same formula."""
        if is_literal(a) or self.term(a) is not self.term(b):
            return super().or_(a, b)
        return self.tt


class LessIsSwapped(NaiveFactory):
    """op(<, z1, z2) is z2 < z1 where either is symbolic"""

    def arithmetic(self, operator: str, *operands: Tree) -> Tree:
        """Swap the operands."""
        if operator == "<" and not all(map(is_literal, operands)):
            operands = operands[::-1]
        return super().arithmetic(operator, *operands)


class CallopSkipsStrengthen(SymbolicEvaluator):
    """CALLOP skips strengthen"""

    def rule_callop(self, o: str, values: Sequence[SymValue], sigma: State) -> Result:
        """The result from an unconstrained state."""
        return self.factory.op(o, values)


class CallIsUnguarded(SymbolicEvaluator):
    """CALL takes tt for the guards of the bodies"""

    def rule_call(
        self, g1: Sequence[tuple[SymBool, SymClosure]], v2: SymValue, sigma: State, fuel: int
    ) -> Result:
        """Every closure is called under every model."""
        return super().rule_call([(self.factory.tt, c) for _, c in g1], v2, sigma, fuel)


class CallbadDoesNotAssert(SymbolicEvaluator):
    """CALLBAD takes the input state without asserting that there is a closure"""

    def rule_callbad(self, sigma: State, asserted: State) -> Result:
        """Halt in the state before."""
        return Halt(sigma)


class LetDoesNotBind(SymbolicEvaluator):
    """LET binds no variable"""

    def rule_let(
        self, x: str, first: Out, e2: Expression, env: SymEnvironment, fuel: int
    ) -> Result:
        """The body in the same environment."""
        return self.evaluate(e2, env, first.state, fuel)


class IfsymSwapsGuards(SymbolicEvaluator):
    """IFSYM swaps the guards when it merges"""

    def merge_branches(
        self, sigma: State, b: SymBool, against: SymBool, r1: Result, r2: Result
    ) -> Result:
        """Each result under the guard of the other."""
        return super().merge_branches(sigma, against, b, r1, r2)


class IfTakesTheOther(SymbolicEvaluator):
    """IFTRUE and IFFALSE swap their conditions"""

    def rule_iftrue(
        self, e1: Expression, e2: Expression, env: SymEnvironment, sigma: State, fuel: int
    ) -> Result:
        """The branch for #f."""
        return super().rule_iffalse(e1, e2, env, sigma, fuel)

    def rule_iffalse(
        self, e1: Expression, e2: Expression, env: SymEnvironment, sigma: State, fuel: int
    ) -> Result:
        """The branch for all but #f."""
        return super().rule_iftrue(e1, e2, env, sigma, fuel)


class ErrorAborts(SymbolicEvaluator):
    """ERROR does what ABORT does"""

    def rule_error(self, sigma: State) -> Result:
        """Assume ff."""
        return super().rule_abort(sigma)


class AbortErrs(SymbolicEvaluator):
    """ABORT does what ERROR does"""

    def rule_abort(self, sigma: State) -> Result:
        """Assert ff."""
        return super().rule_error(sigma)


# --- the virtual machine -----------------------------------------------------------------------


# Faults write paths and forks of machines from outside of `vm`: breaking them is their purpose.
class Patch:
    """Replaces parts of the machine, and puts them back."""

    def __init__(self) -> None:
        self.replaced: list[tuple[object, str, object]] = []

    def put(self, owner: object, name: str, value: object) -> None:
        """Give a class or module another attribute."""
        self.replaced.append((owner, name, vars(owner)[name]))
        setattr(owner, name, value)

    def everywhere(self, original: Callable[..., object], broken: Callable[..., object]) -> None:
        """Put another function in the place of one, in every module that refers to it."""
        name = original.__name__
        for module_name, module in list(sys.modules.items()):
            if module_name.startswith("solvent.") and vars(module).get(name) is original:
                self.put(module, name, broken)

    def undo(self) -> None:
        """Put everything back."""
        while self.replaced:
            setattr(*self.replaced.pop())


Install = Callable[[Patch], None]
MACHINE_FAULTS: dict[str, Install] = {}


def machine_fault(install: Install) -> Install:
    """Register a fault of the machine under the first line of its docstring."""
    MACHINE_FAULTS[(install.__doc__ or "").splitlines()[0]] = install
    return install


@contextmanager
def broken_machine(install: Install) -> Iterator[None]:
    """The virtual machine with a fault."""
    patch = Patch()
    install(patch)
    try:
        yield
    finally:
        patch.undo()


@machine_fault
def _merge_swaps(patch: Patch) -> None:
    """merge takes the value of the other side"""
    original = merge.merge
    patch.everywhere(original, lambda c, a, b: original(not_(c), a, b))


@machine_fault
def _union_order(patch: Patch) -> None:
    """the first two members of a union change places, but not their guards"""
    original = merge.union_of

    def union_of(choices: Choices) -> Value:
        if len(choices) > 1:
            (g, v), (h, w), *rest = choices
            choices = ((g, w), (h, v), *rest)
        return original(choices)

    patch.everywhere(original, union_of)


@machine_fault
def _union_overlap(patch: Patch) -> None:
    """the guards of a merged union overlap: that of the first member is true"""
    original = merge.merge_choices

    def merge_choices(*details: Value) -> Choices:
        result = list(original(*details))
        return tuple([(True, value) for _, value in result[:1]] + result[1:])

    patch.everywhere(original, merge_choices)


@machine_fault
def _spread_mixed(patch: Patch) -> None:
    """results over the members of a union are merged under negated guards"""
    original = spread.combine
    patch.everywhere(original, lambda rows: original([(not_(g), v) for g, v in rows]))


@machine_fault
def _no_undo(patch: Patch) -> None:
    """the journal does not undo the first side of a fork"""
    patch.put(forks, "undo", lambda layer: layer.clear())


@machine_fault
def _join_drops_writes(patch: Patch) -> None:
    """join drops what the first side wrote"""
    original = Fork.join

    def join(self: Fork, values: Values) -> Values:
        self.effects = {}
        return original(self, values)

    patch.put(Fork, "join", join)


@machine_fault
def _join_drops_values(patch: Patch) -> None:
    """join drops the local variables of the first side"""
    original = Fork.join

    def join(self: Fork, values: Values) -> Values:
        self.first = self.first and values
        return original(self, values)

    patch.put(Fork, "join", join)


@machine_fault
def _blend_swaps(patch: Patch) -> None:
    """writes of both sides are merged under the negated condition"""
    original = journal.blend
    patch.everywhere(original, lambda c, effects, layer: original(not_(c), effects, layer))


@machine_fault
def _no_commit(patch: Patch) -> None:
    """a layer of the journal that is closed is not committed to the one below"""
    patch.everywhere(journal.commit, lambda layer, parent: None)


@machine_fault
def _dead_side(patch: Patch) -> None:
    """a side that has ended is merged as if it went on"""
    original = Fork.end

    def end(self: Fork, error: BaseException) -> None:
        original(self, error)
        self.dead = False

    patch.put(Fork, "end", end)


@machine_fault
def _no_halt(patch: Patch) -> None:
    """paths that fail do not halt"""
    original = Machine.fail_if

    def fail_if(self: Machine, condition: Guard, error: BaseException) -> None:
        path = self.state.path
        original(self, condition, error)
        self.state.path = path

    patch.put(Machine, "fail_if", fail_if)


@machine_fault
def _no_failure(patch: Patch) -> None:
    """failures under a condition are forgotten"""

    def fail_if(self: Machine, condition: Guard, error: BaseException) -> None:
        if condition is True:
            raise error
        if condition is not False:
            self.state.path = Path(self.state.path, not_(condition))

    patch.put(Machine, "fail_if", fail_if)


@machine_fault
def _no_narrowing(patch: Patch) -> None:
    """the path after a join is as wide as before, although models were lost"""
    original = Fork.join

    def join(self: Fork, values: Values) -> Values:
        result = original(self, values)
        self.machine.state.path = self.path
        return result

    patch.put(Fork, "join", join)


@machine_fault
def _exit_guard(patch: Patch) -> None:
    """the guard of an early return ignores the branches around it"""
    original = Scope.guard

    def guard(self: Scope) -> Guard:
        around, self.machine.forks = self.machine.forks, []
        try:
            found: Guard = original(self)
            return found
        finally:
            self.machine.forks = around

    patch.put(Scope, "guard", guard)


@machine_fault
def _exit_order(patch: Patch) -> None:
    """early returns are merged in the wrong order"""
    original = Scope._merge

    def merge_exits(self: Scope, layer: Layer, values: Values, frame: Values | None) -> Values:
        self.exits.reverse()
        return original(self, layer, values, frame)

    patch.put(Scope, "_merge", merge_exits)


@machine_fault
def _exit_writes(patch: Patch) -> None:
    """what a path wrote before it returned early is forgotten"""
    original = Scope.record

    def record(self: Scope, values: Values, condition: Guard = True) -> None:
        original(self, values, condition)
        self.exits[-1].effects = {}

    patch.put(Scope, "record", record)


@machine_fault
def _alias_split(patch: Patch) -> None:
    """references to one object are split when they are merged"""
    original = owned.merge_owned
    many = 1 << 40
    patch.everywhere(original, lambda c, a, b, first, second: original(c, a, b, many, many))
    # The compiled join has the function itself; the one in Python finds what stands in its place.
    patch.put(Fork, "join", inspect.unwrap(Fork.join))


def _forgetting(kind: Kind) -> Install:
    def install(patch: Patch) -> None:
        for name in ("write_slot", "wrote_slot", "write_whole"):
            original = vars(Machine)[name]

            def write(
                self: Machine,
                found: Kind,
                *details: Value,
                original: Callable[..., None] = original,
            ) -> None:
                if found is not kind:
                    original(self, found, *details)

            patch.put(Machine, name, write)

    return install


MACHINE_FAULTS["the journal does not hear of writes to lists"] = _forgetting(ITEMS)
MACHINE_FAULTS["the journal does not hear of writes to attributes"] = _forgetting(ATTRIBUTES)


# --- catching them -----------------------------------------------------------------------------

FACTORY, RULES, MACHINE = "symbolic factory", "symbolic evaluator", "virtual machine"

# How long a program may take on a broken route.
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: where it is, the routes that are broken by it, and a sound one to compare with."""

    name: str
    location: str
    routes: Mapping[str, Route]
    sound: str


def _of_rules(broken: type[NaiveFactory] | type[SymbolicEvaluator]) -> Fault:
    name = (broken.__doc__ or "").strip()
    if issubclass(broken, NaiveFactory):
        return Fault(name, FACTORY, {"naive": by_rules(broken)}, "optimised")
    return Fault(name, RULES, {"naive": by_rules(NaiveFactory, broken)}, "optimised")


def _of_machine(name: str, install: Install) -> Fault:
    def broken(route: Route, test: Test, fuel: int) -> Account:
        with broken_machine(install):
            return route(test, fuel)

    routes = {route: partial(broken, ROUTES[route]) for route in ("interpreter", "machine")}
    return Fault(name, MACHINE, routes, "naive")


# The faults of table 2, in its order.
TABLE_2: tuple[type[NaiveFactory] | type[SymbolicEvaluator], ...] = (
    AndIsFirst,
    OrIsTrue,
    LessIsSwapped,
    CallopSkipsStrengthen,
    CallIsUnguarded,
    CallbadDoesNotAssert,
    LetDoesNotBind,
    IfsymSwapsGuards,
    IfTakesTheOther,
    ErrorAborts,
    AbortErrs,
)

FAULTS: Mapping[str, Fault] = {
    fault.name: fault
    for fault in (
        *map(_of_rules, TABLE_2),
        *(_of_machine(name, install) for name, install in MACHINE_FAULTS.items()),
    )
}


class Suite:
    """Generated tests, with what a sound route makes of each; all faults share it."""

    def __init__(self, count: int, seed: int = 0) -> None:
        self.tests = list(tests(count, seed))
        self.known: dict[tuple[str, int], Account | None] = {}

    def sound(self, route: str, place: int) -> Account | None:
        """The account of a sound route for a test; None if it is stuck."""
        key = (route, place)
        if key not in self.known:
            self.known[key] = _account(ROUTES[route], self.tests[place])
        return self.known[key]


def _account(route: Route, test: Test) -> Account | None:
    try:
        with time_limit(SECONDS), deep_recursion():
            return route(test, DEFAULT_FUEL)
    except (Stuck, OutOfTime, RecursionError):
        return None


def disagreement(fault: Fault, route: str, test: Test, sound: Account | None) -> str:
    """How a broken route differs from a sound one, in words; nothing if it does not."""
    if sound is None:
        return ""
    detail = ""
    try:
        found = _account(fault.routes[route], test)
        if found is not None:
            verdict = shared_oracle(SECONDS_PER_QUESTION).compare(found, sound)
            if verdict.equivalent is False:
                detail = f"{route} and {fault.sound}: {verdict}"
    except Exception as error:
        # Of a broken machine anything may be expected.
        detail = f"{route} fails: {type(error).__name__}: {error}"
    return detail if detail and _agrees(route, test, sound) else ""


def _agrees(name: str, test: Test, sound: Account) -> bool:
    """Whether a route as it is agrees: if it does not, a program shows nothing about a fault."""
    found = _account(ROUTES[name], test)
    return found is not None and bool(
        shared_oracle(SECONDS_PER_QUESTION).compare(found, sound).equivalent
    )


@dataclass(frozen=True, slots=True)
class Catch:
    """Whether a fault is caught, after how many programs, and by a minimal one."""

    name: str
    location: str
    # How many programs were needed, or None if none of them caught it.
    needed: int | None
    program: str = ""
    detail: str = ""
    seconds: float = 0.0
    # Why it is not known whether a program catches it, if that is so.
    problem: str = ""

    @property
    def caught(self) -> bool:
        """Whether a program caught the fault."""
        return self.needed is not None

    @property
    def missed(self) -> bool:
        """Whether all programs were tried, and none caught it."""
        return not self.caught and not self.problem


@dataclass(frozen=True, slots=True)
class Catches(Answer):
    """Whether the programs catch all faults: one that they do not is a finding about them."""

    catches: tuple[Catch, ...]

    @classmethod
    def of(cls, catches: Iterable[Catch]) -> Catches:
        """The answer that catches amount to."""
        found = tuple(catches)
        if any(one.missed for one in found):
            return cls(found, verdict=Verdict.VIOLATED)
        lost = [one for one in found if one.problem]
        if lost:
            reason = f"{lost[0].name}: {lost[0].problem}"
            return cls(found, verdict=Verdict.UNKNOWN, reason=reason)
        return cls(found, verdict=Verdict.HOLDS)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The faults that no program has caught."""
        return tuple(
            Finding(f"no program catches the fault {one.name} in {one.location}")
            for one in self.catches
            if one.missed
        )


def find(name: str, suite: Suite) -> Catch:
    """A test of a suite that catches a fault, among the first that do, shrunken."""
    fault = FAULTS[name]
    started = time.perf_counter()

    def again(route: str, test: Test) -> str:
        return disagreement(fault, route, test, _account(ROUTES[fault.sound], test))

    for route, place in _order(list(fault.routes), len(suite.tests)):
        test = suite.tests[place]
        if disagreement(fault, route, test, suite.sound(fault.sound, place)):
            small = shrink(test, partial(_shows, again, route))
            return Catch(
                name,
                fault.location,
                place + 1,
                show(small.program),
                again(route, small),
                time.perf_counter() - started,
            )
    return Catch(name, fault.location, None, seconds=time.perf_counter() - started)


def _shows(again: Callable[[str, Test], str], route: str, test: Test) -> bool:
    return bool(again(route, test))


# So many tests are tried on all routes before the others are, one route after the other.
EARLY = 300


def _order(routes: Sequence[str], count: int) -> Iterator[tuple[str, int]]:
    for place in range(min(EARLY, count)):
        for route in routes:
            yield route, place
    for route in routes:
        for place in range(EARLY, count):
            yield route, place


@cache
def _suite(count: int, seed: int) -> Suite:
    return Suite(count, seed)


def find_one(name: str, count: int, seed: int) -> Catch:
    """The task of an executor: catch one fault."""
    return find(name, _suite(count, seed))


def find_all(
    count: int,
    seed: int = 0,
    executor: Executor | None = None,
    names: Sequence[str] = tuple(FAULTS),
    progress: Callable[[Catch], None] = lambda catch: None,
) -> list[Catch]:
    """Catch all faults, here or on any executor, each with a suite of so many programs."""
    if executor is None:
        results = (find_one(name, count, seed) for name in names)
    else:
        tasks = [executor.submit(find_one, name, count, seed) for name in names]
        results = (task.result() for task in tasks)
    found = []
    for catch in results:
        progress(catch)
        found.append(catch)
    return found
