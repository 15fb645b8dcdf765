"""The core language of figure 2, with integers, Booleans and lists, as s-expressions.

Arguments of operators and procedures, and the tests of conditionals, are variables.

>>> program = parse("(let (z 0) (if x (error) (+ y z)))")
>>> show(program), size(program), free_variables(program)
('(let (z 0) (if x (error) (+ y z)))', 5, ['x', 'y'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from solvent.depth import deep_recursion
from solvent.errors import SolventError

# The operators, with the number of their operands: those of section 6.1, and that of example 1.
OPERATORS = {"+": 2, "*": 2, "-": 1, "=": 2, "<": 2, "cons": 2, "car": 1, "cdr": 1, "null?": 1}


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """`#t`, `#f`, an integer, or `null`, the empty list."""

    value: bool | int | tuple[()]

    def __eq__(self, other: object) -> bool:
        # For Python `1 == True`, but they are two programs.
        if not isinstance(other, Literal):
            return NotImplemented
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; free ones are the inputs of a program."""

    name: str


@dataclass(frozen=True, slots=True)
class Lambda:
    """`(λ x . body)`."""

    variable: str
    body: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """`(o x1 ... xn)`."""

    operator: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`(x1 x2)`."""

    function: str
    argument: str


@dataclass(frozen=True, slots=True)
class Let:
    """`(let (x value) body)`."""

    variable: str
    value: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class If:
    """`(if x then otherwise)`."""

    test: str
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Error:
    """`(error)`: a failed assertion."""


@dataclass(frozen=True, slots=True)
class Abort:
    """`(abort)`: a failed assumption."""


Expression = Literal | Variable | Lambda | Operation | Call | Let | If | Error | Abort


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside of one."""
    match expression:
        case Lambda(_, body):
            return (body,)
        case Let(_, value, body):
            return (value, body)
        case If(_, then, otherwise):
            return (then, otherwise)
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """All expressions in one, itself first."""
    stack = [expression]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(reversed(parts(found)))


def size(expression: Expression) -> int:
    """The number of expressions; tests and arguments, which are variables, do not count."""
    return sum(1 for _ in walk(expression))


def has_calls(expression: Expression) -> bool:
    """Whether there is a procedure call."""
    return any(isinstance(found, Call) for found in walk(expression))


def used(expression: Expression) -> tuple[str, ...]:
    """The variables that an expression itself refers to."""
    match expression:
        case Variable(name):
            return (name,)
        case Operation(_, arguments):
            return arguments
        case Call(function, argument):
            return (function, argument)
        case If(test, _, _):
            return (test,)
        case _:
            return ()


def free_variables(expression: Expression) -> list[str]:
    """The inputs of a program, in the order in which they occur."""
    found: dict[str, None] = {}
    stack: list[tuple[Expression, frozenset[str]]] = [(expression, frozenset())]
    while stack:
        inner, bound = stack.pop()
        found.update(dict.fromkeys(name for name in used(inner) if name not in bound))
        match inner:
            case Lambda(variable, body):
                stack.append((body, bound | {variable}))
            case Let(variable, value, body):
                stack += [(body, bound | {variable}), (value, bound)]
            case If(_, then, otherwise):
                stack += [(otherwise, bound), (then, bound)]
    return list(found)


# --- text --------------------------------------------------------------------------------------


class SyntaxProblem(SolventError, ValueError):
    """Text that is no program of the core language, with its position."""


def show(expression: Expression) -> str:
    """A program as text.

    >>> show(Lambda("x", Operation("+", ("x", "x"))))
    '(λ x . (+ x x))'
    """
    with deep_recursion():
        return _show(expression)


def _show(expression: Expression) -> str:
    match expression:
        case Literal(value):
            if value is True or value is False:
                return "#t" if value else "#f"
            return "null" if value == () else str(value)
        case Variable(name):
            return name
        case Lambda(variable, body):
            return f"(λ {variable} . {_show(body)})"
        case Operation(operator, arguments):
            return f"({' '.join([operator, *arguments])})"
        case Call(function, argument):
            return f"({function} {argument})"
        case Let(variable, value, body):
            return f"(let ({variable} {_show(value)}) {_show(body)})"
        case If(test, then, otherwise):
            return f"(if {test} {_show(then)} {_show(otherwise)})"
        case Error():
            return "(error)"
        case Abort():
            return "(abort)"


_TOKEN = re.compile(r"\s*(;[^\n]*|[()]|[^\s();]+)")


class _Parser:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.tokens: list[tuple[str, int]] = []
        for found in _TOKEN.finditer(text):
            if not found[1].startswith(";"):
                self.tokens.append((found[1], text.count("\n", 0, found.start(1)) + 1))
        self.place = 0

    def fail(self, message: str) -> SyntaxProblem:
        lines = [line for _, line in self.tokens]
        line = lines[min(self.place, len(lines) - 1)] if lines else 1
        return SyntaxProblem(f"{self.source}:{line}: {message}")

    def next(self) -> str:
        if self.place >= len(self.tokens):
            raise self.fail("the program ends too early; a `)` is missing")
        self.place += 1
        return self.tokens[self.place - 1][0]

    def expect(self, token: str) -> None:
        found = self.next()
        if found != token:
            self.place -= 1
            raise self.fail(f"`{token}` is needed here, not `{found}`")

    def name(self) -> str:
        found = self.next()
        if not _is_name(found):
            self.place -= 1
            raise self.fail(f"a variable is needed here, not `{found}`; name it with `let`")
        return found

    def expression(self) -> Expression:
        token = self.next()
        if token == "(":
            result = self.form()
            self.expect(")")
            return result
        if token == ")":
            self.place -= 1
            raise self.fail("an expression is needed here, not `)`")
        if _is_literal(token):
            return Literal(_literal(token))
        if not _is_name(token):
            self.place -= 1
            raise self.fail(f"`{token}` is no expression; {_advice(token)}")
        return Variable(token)

    def form(self) -> Expression:
        head = self.next()
        if head in ("λ", "lambda"):
            variable = self.name()
            self.expect(".")
            return Lambda(variable, self.expression())
        if head == "let":
            self.expect("(")
            variable, value = self.name(), self.expression()
            self.expect(")")
            return Let(variable, value, self.expression())
        if head == "if":
            return If(self.name(), self.expression(), self.expression())
        if head == "error":
            return Error()
        if head == "abort":
            return Abort()
        if head in OPERATORS:
            arguments = []
            while self.place < len(self.tokens) and self.tokens[self.place][0] != ")":
                arguments.append(self.name())
            return Operation(head, tuple(arguments))
        self.place -= 1
        return Call(self.name(), self.name())


_KEYWORDS = frozenset(("λ", "lambda", "let", "if", "error", "abort", *OPERATORS))


def _is_literal(token: str) -> bool:
    return token in ("#t", "#f", "null") or re.fullmatch(r"-?\d+", token) is not None


def _is_name(token: str) -> bool:
    # What looks like a number or a literal but is none is a mistake.
    return token not in _KEYWORDS and re.match(r"[().#]|[+-]?[.]?\d", token) is None


def _advice(token: str) -> str:
    if token in _KEYWORDS:
        return f"it starts one in parentheses: `({token} ...)`"
    return "literals are integers, `#t`, `#f` and `null`"


def _literal(token: str) -> bool | int | tuple[()]:
    if token == "null":
        return ()
    return {"#t": True, "#f": False}[token] if token.startswith("#") else int(token)


def parse(text: str, source: str = "<program>") -> Expression:
    """The program that a text is.

    >>> parse("(error)")
    Error()
    """
    parser = _Parser(text, source)
    if not parser.tokens:
        raise SyntaxProblem(f"{source}:1: there is no program in this text")
    with deep_recursion():
        result = parser.expression()
    if parser.place < len(parser.tokens):
        raise parser.fail(f"the program has ended, but `{parser.tokens[parser.place][0]}` follows")
    return result
