"""The parser of C*: one method for each line of the grammar of figure 13.

After a mistake the parser goes on behind the next `;` or at the next `}`, so that one run shows
several mistakes.
"""

from __future__ import annotations

from solvent.depth import deep_recursion
from solvent.riscu.cstar.diagnostics import CStarError, Diagnostic, Position
from solvent.riscu.cstar.scanner import (
    CHARACTER,
    END,
    IDENTIFIER,
    INTEGER,
    STRING,
    Token,
    scan,
)
from solvent.riscu.cstar.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Dereference,
    Expression,
    If,
    Literal,
    Name,
    Negate,
    Perform,
    Procedure,
    Return,
    Statement,
    String,
    Type,
    Unit,
    Variable,
    While,
)

COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
MOST_MISTAKES = 20


class _Mistake(Exception):
    """Leaves what cannot be parsed; the message is recorded already."""


def parse(text: str, file: str = "<text>") -> Unit:
    """The syntax tree of a program, or all mistakes as one `CStarError`.

    >>> unit = parse("uint64_t x = 3; uint64_t main() { return x; }")
    >>> [variable.name for variable in unit.variables], unit.procedures[0].name
    (['x'], 'main')
    >>> parse("uint64_t main() { return 1 + ; }", "a.c")
    Traceback (most recent call last):
        ...
    solvent.riscu.cstar.diagnostics.CStarError: a.c(1,30): error: an operand is needed, not ;
    """
    parser = _Parser(*scan(text, file))
    with deep_recursion():
        unit = parser.cstar(file)
    if parser.mistakes:
        raise CStarError(sorted(parser.mistakes)[:MOST_MISTAKES])
    return unit


class _Parser:
    def __init__(self, tokens: list[Token], mistakes: list[Diagnostic]) -> None:
        self.tokens = tokens
        self.at = 0
        self.mistakes = mistakes

    # --- tokens --------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def position(self) -> Position:
        return self.token.position

    def sees(self, *kinds: str) -> bool:
        return self.token.kind in kinds

    def take(self) -> Token:
        token = self.token
        if token.kind != END:
            self.at += 1
        return token

    def takes(self, kind: str) -> bool:
        if not self.sees(kind):
            return False
        self.take()
        return True

    def fail(self, message: str, position: Position | None = None) -> _Mistake:
        self.mistakes.append(Diagnostic(position or self.position, message))
        return _Mistake()

    def expect(self, kind: str, where: str) -> Token:
        if self.sees(kind):
            return self.take()
        name = kind if kind == IDENTIFIER else repr(kind)
        raise self.fail(f"{name} is needed {where}, not {self.token.text or END}")

    def skip(self) -> None:
        """Go behind the next semicolon, or to the next brace."""
        while not self.sees(END, "{", "}"):
            if self.take().kind == ";":
                return

    # --- declarations --------------------------------------------------------------------------

    def cstar(self, file: str) -> Unit:
        unit = Unit(file, [], [])
        while not self.sees(END):
            try:
                self.declaration(unit)
            except _Mistake:
                self.skip_declaration()
        return unit

    def skip_declaration(self) -> None:
        depth = 0
        while not self.sees(END):
            kind = self.take().kind
            depth += {"{": 1, "}": -1}.get(kind, 0)
            if depth <= 0 and kind in (";", "}"):
                return

    def declaration(self, unit: Unit) -> None:
        position = self.position
        if self.takes("void"):
            if self.sees("*"):
                raise self.fail("C* has no type void*; write uint64_t*")
            kind = Type.VOID
        else:
            kind = self.type("at the start of a declaration")
        name = self.expect(IDENTIFIER, "after a type")
        if self.sees("("):
            unit.procedures.append(self.procedure(position, kind, name.text))
        elif kind is Type.VOID:
            raise self.fail("only a procedure can be void: '(' is needed here")
        else:
            unit.variables.append(self.global_variable(position, kind, name.text))

    def global_variable(self, position: Position, kind: Type, name: str) -> Variable:
        variable = Variable(position, kind, name)
        if self.takes("="):
            variable.given = self.cast() or Type.WORD
            negative = self.takes("-")
            if not self.sees(INTEGER, CHARACTER):
                raise self.fail("the initial value of a global variable is an integer or character")
            value = self.take().value
            assert isinstance(value, int)
            variable.value = -value % 2**64 if negative else value
        self.expect(";", "after a declaration")
        return variable

    def type(self, where: str) -> Type:
        if not self.takes("uint64_t"):
            raise self.fail(f"a type is needed {where}, not {self.token.text or END}")
        return Type.POINTER if self.takes("*") else Type.WORD

    def cast(self) -> Type | None:
        if not (self.sees("(") and self.tokens[self.at + 1].kind == "uint64_t"):
            return None
        self.take()
        kind = self.type("in a cast")
        self.expect(")", "at the end of a cast")
        return kind

    def variable(self, where: str) -> Variable:
        position = self.position
        kind = self.type(where)
        return Variable(position, kind, self.expect(IDENTIFIER, "after a type").text)

    def procedure(self, position: Position, result: Type, name: str) -> Procedure:
        procedure = Procedure(position, result, name, [])
        self.expect("(", "in a procedure")
        if not self.sees(")"):
            procedure.parameters.append(self.variable("of a parameter"))
            while self.takes(","):
                procedure.parameters.append(self.variable("of a parameter"))
        self.expect(")", "after the parameters")
        if self.takes(";"):
            return procedure
        self.expect("{", "at the start of a procedure's body")
        while self.sees("uint64_t"):
            try:
                procedure.locals.append(self.local())
            except _Mistake:
                self.skip()
        procedure.body = self.statements()
        procedure.end = self.position
        self.expect("}", "at the end of a procedure")
        return procedure

    def local(self) -> Variable:
        variable = self.variable("of a local variable")
        if self.sees("="):
            raise self.fail("a local variable gets its value by an assignment of its own in C*")
        self.expect(";", "after a declaration")
        return variable

    # --- statements ----------------------------------------------------------------------------

    def statements(self) -> list[Statement]:
        found: list[Statement] = []
        while not self.sees("}", END):
            try:
                found.append(self.statement())
            except _Mistake:
                self.skip()
                if self.takes("{"):
                    # The body of a statement whose head is wrong has mistakes of its own.
                    self.statements()
                    self.takes("}")
        return found

    def statement(self) -> Statement:
        if self.sees("while"):
            return self.while_()
        if self.sees("if"):
            return self.if_()
        if self.sees("return"):
            return self.return_()
        if self.sees("uint64_t"):
            raise self.fail("local variables are declared before the first statement in C*")
        position = self.position
        if self.sees(IDENTIFIER) and self.tokens[self.at + 1].kind == "(":
            call = self.call()
            self.expect(";", "after a call")
            return Perform(position, call)
        target = self.target()
        self.expect("=", "in an assignment")
        value = self.expression()
        self.expect(";", "after an assignment")
        return Assign(position, target, value)

    def target(self) -> Name | Dereference:
        position = self.position
        if not self.takes("*"):
            name = self.expect(IDENTIFIER, "at the start of a statement")
            return Name(position, name.text)
        if self.sees(IDENTIFIER):
            inside = self.take()
            return Dereference(position, Name(inside.position, inside.text))
        self.expect("(", "after *")
        address = self.expression()
        self.expect(")", "after an address")
        return Dereference(position, address)

    def block(self) -> list[Statement]:
        if not self.takes("{"):
            return [self.statement()]
        found = self.statements()
        self.expect("}", "at the end of a block")
        return found

    def test(self) -> Expression:
        self.expect("(", "before a condition")
        test = self.expression()
        self.expect(")", "after a condition")
        return test

    def while_(self) -> While:
        position = self.take().position
        return While(position, self.test(), self.block())

    def if_(self) -> If:
        position = self.take().position
        test, then = self.test(), self.block()
        return If(position, test, then, self.block() if self.takes("else") else [])

    def return_(self) -> Return:
        position = self.take().position
        value = None if self.sees(";") else self.expression()
        self.expect(";", "after return")
        return Return(position, value)

    # --- expressions ---------------------------------------------------------------------------

    def call(self) -> Call:
        name = self.take()
        self.expect("(", "in a call")
        arguments: list[Expression] = []
        if not self.sees(")"):
            arguments.append(self.expression())
            while self.takes(","):
                arguments.append(self.expression())
        self.expect(")", "after the arguments of a call")
        return Call(name.position, name.text, arguments)

    def expression(self) -> Expression:
        left = self.simple_expression()
        if self.sees(*COMPARISONS):
            operator = self.take()
            left = Binary(operator.position, operator.text, left, self.simple_expression())
            if self.sees(*COMPARISONS):
                raise self.fail("comparisons do not chain; put one into parentheses")
        return left

    def simple_expression(self) -> Expression:
        left = self.term()
        while self.sees("+", "-"):
            operator = self.take()
            left = Binary(operator.position, operator.text, left, self.term())
        return left

    def term(self) -> Expression:
        left = self.factor()
        while self.sees("*", "/", "%"):
            operator = self.take()
            left = Binary(operator.position, operator.text, left, self.factor())
        return left

    def factor(self) -> Expression:
        position = self.position
        cast = self.cast()
        minus = self.take().position if self.sees("-") else None
        star = self.take().position if self.sees("*") else None
        value = self.operand()
        if star is not None:
            value = Dereference(star, value)
        if minus is not None:
            value = Negate(minus, value)
        return value if cast is None else Cast(position, cast, value)

    def operand(self) -> Expression:
        position = self.position
        if self.sees(IDENTIFIER):
            if self.tokens[self.at + 1].kind == "(":
                return self.call()
            return Name(position, self.take().text)
        if self.sees(INTEGER, CHARACTER):
            value = self.take().value
            assert isinstance(value, int)
            return Literal(position, value)
        if self.sees(STRING):
            value = self.take().value
            assert isinstance(value, bytes)
            return String(position, value)
        if self.takes("("):
            inside = self.expression()
            self.expect(")", "after an expression")
            return inside
        raise self.fail(f"an operand is needed, not {self.token.text or END}")
