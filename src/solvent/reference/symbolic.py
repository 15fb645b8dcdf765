"""The symbolic semantics of figure 6, rule by rule, for any symbolic factory.

The methods are named after the rules, so that a fault can be injected into each of them.  `fuel`
bounds the depth of calls, as in section 6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from solvent.depth import deep_recursion
from solvent.reference.concrete import DEFAULT_FUEL, Stuck
from solvent.reference.factory import (
    Factory,
    Guarded,
    Halt,
    Out,
    Result,
    State,
    SymBool,
    SymClosure,
    SymEnvironment,
    SymValue,
    initial,
    result,
)
from solvent.reference.syntax import (
    Abort,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    Variable,
)

Item = TypeVar("Item")


class SymbolicEvaluator:
    """The rules over one factory."""

    def __init__(self, factory: Factory) -> None:
        self.factory = factory

    def evaluate(
        self,
        e: Expression,
        env: SymEnvironment,
        sigma: State | None = None,
        fuel: int = DEFAULT_FUEL,
    ) -> Result:
        """The symbolic result of a program in an environment and a state."""
        if sigma is None:
            with deep_recursion():
                return self.evaluate(e, env, initial(self.factory), fuel)
        match e:
            case Literal(v):
                return self.rule_literal(v, sigma)
            case Lambda(x, body):
                return self.rule_closure(x, body, env, sigma)
            case Variable(x):
                return self.rule_variable(x, env, sigma)
            case Operation(o, xs):
                return self.rule_callop(o, [self.lookup(env, x) for x in xs], sigma)
            case Call(x1, x2):
                return self.call(self.lookup(env, x1), self.lookup(env, x2), sigma, fuel)
            case Let(x, e1, e2):
                first = self.evaluate(e1, env, sigma, fuel)
                if isinstance(first, Halt):
                    return self.rule_lethalt(first)
                return self.rule_let(x, first, e2, env, fuel)
            case If(x, e1, e2):
                return self.conditional(self.lookup(env, x), e1, e2, env, sigma, fuel)
            case Error():
                return self.rule_error(sigma)
            case Abort():
                return self.rule_abort(sigma)

    def lookup(self, env: SymEnvironment, x: str) -> SymValue:
        """The symbolic value of a variable."""
        if x not in env:
            raise Stuck(f"the variable `{x}` has no value")
        return env[x]

    # --- rules ---------------------------------------------------------------------------------

    def rule_literal(self, v: bool | int | tuple[()], sigma: State) -> Result:
        """LITERAL."""
        return Out(sigma, self.factory.lift(v))

    def rule_closure(self, x: str, body: Expression, env: SymEnvironment, sigma: State) -> Result:
        """CLOSURE."""
        return Out(sigma, self.factory.lift(SymClosure(x, body, dict(env))))

    def rule_variable(self, x: str, env: SymEnvironment, sigma: State) -> Result:
        """VARIABLE."""
        return Out(sigma, self.lookup(env, x))

    def rule_callop(self, o: str, values: Sequence[SymValue], sigma: State) -> Result:
        """CALLOP."""
        return self.strengthen(sigma, self.factory.op(o, values))

    def call(self, v1: SymValue, v2: SymValue, sigma: State, fuel: int) -> Result:
        """CALL or CALLBAD."""
        f = self.factory
        g1 = f.cast(v1)
        gamma = self.some(lambda g: g[0], g1)
        asserted = self.asserting(sigma, gamma)
        if f.is_ff(gamma) or f.is_ff(asserted.assumes) or f.is_ff(asserted.asserts):
            return self.rule_callbad(sigma, asserted)
        if fuel <= 0:
            raise Stuck("no fuel is left")
        return self.rule_call(g1, v2, asserted, fuel)

    def rule_call(
        self, g1: Sequence[tuple[SymBool, SymClosure]], v2: SymValue, sigma: State, fuel: int
    ) -> Result:
        """CALL."""
        g2 = []
        for b, c in g1:
            inner = {**c.environment, c.variable: v2}
            g2.append((b, self.evaluate(c.body, inner, self.call_state(sigma, b), fuel - 1)))
        return self.merge_results(sigma, g2)

    def call_state(self, sigma: State, b: SymBool) -> State:
        """The state in which CALL evaluates the body of a closure."""
        return self.assuming(sigma, b)

    def rule_callbad(self, sigma: State, asserted: State) -> Result:
        """CALLBAD."""
        return Halt(asserted)

    def rule_let(
        self, x: str, first: Out, e2: Expression, env: SymEnvironment, fuel: int
    ) -> Result:
        """LET."""
        return self.evaluate(e2, {**env, x: first.value}, first.state, fuel)

    def rule_lethalt(self, first: Halt) -> Result:
        """LETHALT."""
        return first

    def conditional(
        self,
        v: SymValue,
        e1: Expression,
        e2: Expression,
        env: SymEnvironment,
        sigma: State,
        fuel: int,
    ) -> Result:
        """IFTRUE, IFFALSE or IFSYM."""
        f = self.factory
        b = f.truth(v)
        if f.is_tt(b):
            return self.rule_iftrue(e1, e2, env, sigma, fuel)
        if f.is_ff(b):
            return self.rule_iffalse(e1, e2, env, sigma, fuel)
        return self.rule_ifsym(b, e1, e2, env, sigma, fuel)

    def rule_iftrue(
        self, e1: Expression, e2: Expression, env: SymEnvironment, sigma: State, fuel: int
    ) -> Result:
        """IFTRUE."""
        return self.evaluate(e1, env, sigma, fuel)

    def rule_iffalse(
        self, e1: Expression, e2: Expression, env: SymEnvironment, sigma: State, fuel: int
    ) -> Result:
        """IFFALSE."""
        return self.evaluate(e2, env, sigma, fuel)

    def rule_ifsym(
        self,
        b: SymBool,
        e1: Expression,
        e2: Expression,
        env: SymEnvironment,
        sigma: State,
        fuel: int,
    ) -> Result:
        """IFSYM."""
        against = self.factory.not_(b)
        r1 = self.evaluate(e1, env, self.assuming(sigma, b), fuel)
        r2 = self.evaluate(e2, env, self.assuming(sigma, against), fuel)
        return self.merge_branches(sigma, b, against, r1, r2)

    def merge_branches(
        self, sigma: State, b: SymBool, against: SymBool, r1: Result, r2: Result
    ) -> Result:
        """What IFSYM makes of the results of its branches."""
        return self.merge_results(sigma, [(b, r1), (against, r2)])

    def rule_error(self, sigma: State) -> Result:
        """ERROR."""
        return Halt(self.asserting(sigma, self.factory.ff))

    def rule_abort(self, sigma: State) -> Result:
        """ABORT."""
        return Halt(self.assuming(sigma, self.factory.ff))

    # --- auxiliary functions -------------------------------------------------------------------

    def assuming(self, sigma: State, b: SymBool) -> State:
        """Update the assumptions; where an assertion has failed nothing is assumed any more."""
        f = self.factory
        return State(f.and_(sigma.assumes, f.imp(sigma.asserts, b)), sigma.asserts)

    def asserting(self, sigma: State, b: SymBool) -> State:
        """Update the assertions; where an assumption has failed nothing is asserted any more."""
        f = self.factory
        return State(sigma.assumes, f.and_(sigma.asserts, f.imp(sigma.assumes, b)))

    def merge_results(self, sigma: State, g: Sequence[Guarded]) -> Result:
        """The result that is the choice with the true guard."""
        state = self.merge_states(sigma, g)
        if all(isinstance(r, Halt) for _, r in g):
            return Halt(state)
        return result(self.factory, state, self.merge_values(g))

    def merge_states(self, sigma: State, g: Sequence[Guarded]) -> State:
        """The states of guarded results, one after the other."""
        f = self.factory
        return State(
            f.and_(sigma.assumes, self.every(lambda c: f.imp(c[0], c[1].state.assumes), g)),
            f.and_(sigma.asserts, self.every(lambda c: f.imp(c[0], c[1].state.asserts), g)),
        )

    def merge_values(self, g: Sequence[Guarded]) -> SymValue:
        """The values of guarded results; a halted one has any value, here `#f`."""
        f = self.factory
        return f.merge([(b, r.value if isinstance(r, Out) else f.lift(False)) for b, r in g])

    def strengthen(self, sigma: State, r: Result) -> Result:
        """The result of an operator, where the state before it was normal."""
        state = self.compose(sigma, r.state)
        if isinstance(r, Halt):
            return Halt(state)
        return result(self.factory, state, r.value)

    def compose(self, sigma: State, then: State) -> State:
        """One state after another."""
        f = self.factory
        return State(
            f.and_(sigma.assumes, f.imp(sigma.asserts, then.assumes)),
            f.and_(sigma.asserts, f.imp(sigma.assumes, then.asserts)),
        )

    def some(self, function: Callable[[Item], SymBool], items: Sequence[Item]) -> SymBool:
        """Whether a condition holds for some of the items."""
        found = self.factory.ff
        for item in reversed(items):
            found = self.factory.or_(function(item), found)
        return found

    def every(self, function: Callable[[Item], SymBool], items: Sequence[Item]) -> SymBool:
        """Whether a condition holds for all items."""
        found = self.factory.tt
        for item in reversed(items):
            found = self.factory.and_(function(item), found)
        return found
