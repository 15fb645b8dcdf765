"""Names and types of C*.

Mistakes that leave no meaning (unknown names, wrong numbers of arguments, the value of a void
procedure) are errors.  Mixing `uint64_t` and `uint64_t*` is a warning, as in Selfie: the value is
the same 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.depth import deep_recursion
from solvent.riscu.cstar.diagnostics import CStarError, Diagnostic, Position
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

WORD, POINTER, VOID = Type.WORD, Type.POINTER, Type.VOID

# The procedures that every program has: the types of their parameters, and of their result.
BUILTINS: dict[str, tuple[tuple[Type, ...], Type]] = {
    "exit": ((WORD,), VOID),
    "malloc": ((WORD,), POINTER),
    "read": ((WORD, POINTER, WORD), WORD),
    "write": ((WORD, POINTER, WORD), WORD),
    "open": ((POINTER, WORD, WORD), WORD),
}


@dataclass(slots=True)
class Checked:
    """A program whose names and types are right, and what one might warn of."""

    unit: Unit
    variables: dict[str, Variable]
    procedures: dict[str, Procedure]
    # The builtins that are called.
    builtins: set[str] = field(default_factory=set)
    warnings: list[Diagnostic] = field(default_factory=list)


def check(unit: Unit) -> Checked:
    """Check names and types, and fill in the types of expressions.

    >>> from solvent.riscu.cstar.parser import parse
    >>> checked = check(parse("uint64_t main() { uint64_t* p; p = 8; return *p; }", "a.c"))
    >>> print(*checked.warnings)
    a.c(1,32): warning: a value of type uint64_t becomes one of type uint64_t*; write a cast
    """
    checker = _Checker(unit)
    with deep_recursion():
        checker.run()
    if checker.errors:
        raise CStarError(sorted(checker.errors))
    return checker.checked


class _Checker:
    def __init__(self, unit: Unit) -> None:
        self.checked = Checked(unit, {}, {})
        self.errors: list[Diagnostic] = []
        self.locals: dict[str, Variable] = {}
        self.procedure: Procedure | None = None

    def error(self, position: Position, message: str) -> None:
        self.errors.append(Diagnostic(position, message))

    def warn(self, position: Position, message: str) -> None:
        self.checked.warnings.append(Diagnostic(position, message, "warning"))

    def convert(self, position: Position, found: Type, wanted: Type) -> None:
        if found is not wanted and VOID not in (found, wanted):
            self.warn(
                position, f"a value of type {found} becomes one of type {wanted}; write a cast"
            )

    # --- declarations --------------------------------------------------------------------------

    def run(self) -> None:
        unit = self.checked.unit
        for variable in unit.variables:
            self.global_variable(variable)
        for procedure in unit.procedures:
            self.declare(procedure)
        for procedure in unit.procedures:
            if procedure.body is not None:
                self.body(procedure)
        self.main()

    def global_variable(self, variable: Variable) -> None:
        if variable.name in self.checked.variables:
            self.error(variable.position, f"{variable.name} is declared already")
        if variable.given is not None:
            self.convert(variable.position, variable.given, variable.type)
        self.checked.variables[variable.name] = variable

    def declare(self, procedure: Procedure) -> None:
        name = procedure.name
        if name in self.checked.variables:
            self.error(procedure.position, f"{name} is a variable already")
        if name in BUILTINS:
            if procedure.body is not None:
                self.error(procedure.position, f"{name} is built in and cannot be defined again")
            elif len(procedure.parameters) != len(BUILTINS[name][0]):
                self.error(procedure.position, _counts(name, len(BUILTINS[name][0])))
            return
        before = self.checked.procedures.get(name)
        if before is None:
            self.checked.procedures[name] = procedure
            return
        if before.body is not None and procedure.body is not None:
            self.error(procedure.position, f"{name} is defined already")
        signature = [variable.type for variable in procedure.parameters]
        if (before.result, [variable.type for variable in before.parameters]) != (
            procedure.result,
            signature,
        ):
            self.error(procedure.position, f"{name} was declared with other types before")
        if procedure.body is not None:
            self.checked.procedures[name] = procedure

    def main(self) -> None:
        main = self.checked.procedures.get("main")
        if main is None or main.body is None:
            self.error(Position(self.checked.unit.file, 1, 1), "there is no procedure main")
        elif len(main.parameters) > 2:
            self.error(main.position, "main has at most two parameters: argc and argv")

    def body(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.locals = {}
        for variable in [*procedure.parameters, *procedure.locals]:
            if variable.name in self.locals:
                self.error(variable.position, f"{variable.name} is declared already")
            self.locals[variable.name] = variable
        self.statements(procedure.body or [])

    # --- statements ----------------------------------------------------------------------------

    def statements(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign():
                self.assign(statement)
            case Perform():
                self.call(statement.call)
            case While():
                self.value(statement.test)
                self.statements(statement.body)
            case If():
                self.value(statement.test)
                self.statements(statement.then)
                self.statements(statement.otherwise)
            case Return():
                self.returns(statement)

    def assign(self, statement: Assign) -> None:
        target = self.value(statement.target)
        self.convert(statement.position, self.value(statement.value), target)

    def returns(self, statement: Return) -> None:
        procedure = self.procedure
        assert procedure is not None
        if statement.value is None:
            if procedure.result is not VOID:
                self.warn(statement.position, f"{procedure.name} returns no value here, so zero")
            return
        found = self.value(statement.value)
        if procedure.result is VOID:
            self.error(statement.position, f"{procedure.name} is void and returns no value")
        self.convert(statement.position, found, procedure.result)

    # --- expressions ---------------------------------------------------------------------------

    def value(self, expression: Expression) -> Type:
        """The type of an expression that must have a value."""
        found = self.expression(expression)
        if found is VOID:
            assert isinstance(expression, Call)
            self.error(expression.position, f"{expression.name} is void and has no value")
            return WORD
        return found

    def expression(self, expression: Expression) -> Type:
        match expression:
            case Literal() | String():
                pass
            case Name():
                expression.type = self.variable(expression)
            case Call():
                expression.type = self.call(expression)
            case Negate():
                self.convert(expression.position, self.value(expression.operand), WORD)
            case Dereference():
                self.convert(expression.position, self.value(expression.operand), POINTER)
            case Cast():
                self.value(expression.operand)
            case Binary():
                expression.type = self.binary(expression)
        return expression.type

    def variable(self, name: Name) -> Type:
        found = self.locals.get(name.name) or self.checked.variables.get(name.name)
        if found is None:
            self.error(name.position, f"there is no variable {name.name}")
            return WORD
        return found.type

    def call(self, call: Call) -> Type:
        given = [self.value(argument) for argument in call.arguments]
        if call.name in BUILTINS:
            wanted, result = BUILTINS[call.name]
            self.checked.builtins.add(call.name)
        elif call.name in self.checked.procedures:
            procedure = self.checked.procedures[call.name]
            wanted = tuple(variable.type for variable in procedure.parameters)
            result = procedure.result
            if procedure.body is None:
                self.error(call.position, f"{call.name} is declared, but has no body")
        else:
            self.error(call.position, f"there is no procedure {call.name}")
            return WORD
        if len(given) != len(wanted):
            self.error(call.position, f"{_counts(call.name, len(wanted))}, not {len(given)}")
        for argument, found, expected in zip(call.arguments, given, wanted, strict=False):
            self.convert(argument.position, found, expected)
        call.type = result
        return result

    def binary(self, binary: Binary) -> Type:
        left, right = self.value(binary.left), self.value(binary.right)
        operator = binary.operator
        if operator in ("+", "-"):
            if left is POINTER and right is WORD:
                return POINTER
            if operator == "+" and left is WORD and right is POINTER:
                return POINTER
            if operator == "-" and left is right:
                return WORD
            if left is WORD and right is WORD:
                return WORD
            self.warn(binary.position, f"{left} {operator} {right} has no meaning for pointers")
        elif operator in ("*", "/", "%"):
            if POINTER in (left, right):
                self.warn(binary.position, f"{operator} takes numbers, not pointers")
        elif left is not right:
            self.warn(binary.position, f"{left} is compared with {right}; write a cast")
        return WORD


def _counts(name: str, count: int) -> str:
    return f"{name} takes {count} argument{'' if count == 1 else 's'}"
