"""The concrete semantics of figure 3, rule by rule.

>>> from solvent.reference.syntax import parse
>>> evaluate(parse("(let (z 0) (if y (error) z))"), {"y": False})
Ans(value=0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solvent.depth import deep_recursion
from solvent.errors import SolventError
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


@dataclass(frozen=True)
class Closure:
    """A procedure with its environment."""

    variable: str
    body: Expression
    environment: Mapping[str, Value]

    def __hash__(self) -> int:
        return hash((self.variable, self.body))


# Lists are tuples.
Value = bool | int | tuple["Value", ...] | Closure
Environment = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Ans:
    """The evaluation terminates normally and produces a value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Err:
    """An assertion fails."""


@dataclass(frozen=True, slots=True)
class Abt:
    """An assumption fails."""


Outcome = Ans | Err | Abt


class Stuck(SolventError):
    """A variable that the environment does not bind, or no fuel is left."""


DEFAULT_FUEL = 100


def is_int(value: object) -> bool:
    """Whether a value is an integer; Booleans are none."""
    return type(value) is int


def same(a: Value, b: Value) -> bool:
    """Whether two values have the same representation: `1` is not `#t`."""
    pairs: list[tuple[Value, Value]] = [(a, b)]
    # Closures share their environments, so that there may be many more paths than values.
    seen = set()
    while pairs:
        a, b = pairs.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if type(a) is not type(b):
            return False
        if isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            pairs += zip(a, b, strict=True)
        elif isinstance(a, Closure) and isinstance(b, Closure):
            if (a.variable, a.body) != (b.variable, b.body):
                return False
            if set(a.environment) != set(b.environment):
                return False
            pairs += [(value, b.environment[name]) for name, value in a.environment.items()]
        elif a != b:
            return False
    return True


def same_outcome(a: Outcome, b: Outcome) -> bool:
    """Whether two evaluations ended in the same way."""
    if isinstance(a, Ans) and isinstance(b, Ans):
        return same(a.value, b.value)
    return type(a) is type(b)


def operate(operator: str, values: tuple[Value, ...]) -> Outcome:
    """The meaning of the operators; operands of a wrong type or number are an error."""
    match operator, values:
        case "+", (int(a), int(b)) if is_int(a) and is_int(b):
            return Ans(a + b)
        case "*", (int(a), int(b)) if is_int(a) and is_int(b):
            return Ans(a * b)
        case "-", (int(a),) if is_int(a):
            return Ans(-a)
        case "=", (int(a), int(b)) if is_int(a) and is_int(b):
            return Ans(a == b)
        case "<", (int(a), int(b)) if is_int(a) and is_int(b):
            return Ans(a < b)
        case "cons", (a, tuple(rest)):
            return Ans((a, *rest))
        case "car", (tuple(items),) if items:
            return Ans(items[0])
        case "cdr", (tuple(items),) if items:
            return Ans(items[1:])
        case "null?", (tuple(items),):
            return Ans(not items)
        case _:
            return Err()


def evaluate(e: Expression, env: Environment, fuel: int = DEFAULT_FUEL) -> Outcome:
    """The result of a program; `fuel` bounds the depth of calls."""
    with deep_recursion():
        return _evaluate(e, env, fuel)


def _evaluate(e: Expression, env: Environment, fuel: int) -> Outcome:
    match e:
        case Literal(v):  # LITERAL
            return Ans(v)
        case Lambda(x, body):  # CLOSURE
            return Ans(Closure(x, body, dict(env)))
        case Variable(x):  # VARIABLE
            return Ans(lookup(env, x))
        case Operation(o, xs):  # CALLOP
            return operate(o, tuple(lookup(env, x) for x in xs))
        case Call(x1, x2):
            v1, v2 = lookup(env, x1), lookup(env, x2)
            if not isinstance(v1, Closure):  # CALLBAD
                return Err()
            if fuel <= 0:
                raise Stuck("no fuel is left")
            # CALL
            return _evaluate(v1.body, {**v1.environment, v1.variable: v2}, fuel - 1)
        case Let(x, e1, e2):
            r = _evaluate(e1, env, fuel)
            if not isinstance(r, Ans):  # LETHALT
                return r
            return _evaluate(e2, {**env, x: r.value}, fuel)  # LET
        case If(x, e1, e2):
            # IFTRUE, IFFALSE: every value except #f is true.
            return _evaluate(e2 if lookup(env, x) is False else e1, env, fuel)
        case Error():  # ERROR
            return Err()
        case Abort():  # ABORT
            return Abt()


def lookup(env: Environment, x: str) -> Value:
    """The value of a variable."""
    try:
        return env[x]
    except KeyError:
        raise Stuck(f"the variable `{x}` has no value") from None
