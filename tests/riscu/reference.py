"""A reference interpreter of C*: the syntax tree, run as it stands.

It knows nothing of registers, stacks or instructions.  Only the heap is where the compiled
program has it, as addresses can be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvent.riscu.cstar.check import Checked
from solvent.riscu.cstar.diagnostics import Position
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
    While,
)

WORD = 2**64 - 1
UPPER = 2**32
SIZE = 8
# Where strings are, which the programs only pass on.
STRINGS = UPPER // 2


@dataclass(frozen=True)
class Ended:
    """How a run ended: an exit code, or the number of an error and where it happened."""

    exit_code: int | None
    bad_state: int | None
    line: int | None
    output: bytes


class Exit(Exception):
    """The program is over."""


class Error(Exception):
    """The program has done something wrong."""

    def __init__(self, number: int, position: Position) -> None:
        super().__init__(number)
        self.number = number
        self.position = position


class Return_(Exception):
    """A procedure returns."""


class TooLong(Exception):
    """The program takes too many steps."""


class Interpreter:
    """Runs one program once."""

    def __init__(
        self, checked: Checked, heap: int, lowest: int, given: bytes, limit: int = 20_000
    ) -> None:
        self.checked = checked
        self.globals = {name: one.value for name, one in checked.variables.items()}
        self.memory: dict[int, int] = {}
        self.bump = heap
        self.lowest = lowest
        self.given = given
        self.output = bytearray()
        self.frame: dict[str, int] = {}
        self.left = limit
        self.depth = 0

    def run(self) -> Ended:
        main = self.checked.procedures["main"]
        try:
            code = self.procedure(main, [0] * len(main.parameters))
            return Ended(code, None, None, bytes(self.output))
        except Exit as end:
            return Ended(end.args[0], None, None, bytes(self.output))
        except Error as error:
            return Ended(None, error.number, error.position.line, bytes(self.output))

    # --- procedures and statements -------------------------------------------------------------

    def procedure(self, procedure: Procedure, arguments: list[int]) -> int:
        self.depth += 1
        if self.depth > 60:
            raise TooLong
        kept, self.frame = self.frame, dict.fromkeys([v.name for v in procedure.locals], 0)
        names = [variable.name for variable in procedure.parameters]
        self.frame |= dict(zip(names, arguments, strict=True))
        try:
            self.statements(procedure.body or [])
            return 0
        except Return_ as found:
            return int(found.args[0])
        finally:
            self.frame = kept
            self.depth -= 1

    def statements(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLong
        match statement:
            case Assign(position, Name(_, name), value):
                found = self.value(value)
                (self.frame if name in self.frame else self.globals)[name] = found
            case Assign(position, Dereference(_, target), value):
                address = self.value(target)
                found = self.value(value)
                self.check(address, position, 4)
                self.memory[address] = found
            case Perform(_, call):
                self.call(call)
            case While(_, test, body):
                while self.value(test):
                    self.statements(body)
                    self.left -= 1
                    if self.left < 0:
                        raise TooLong
            case If(_, test, then, otherwise):
                self.statements(then if self.value(test) else otherwise)
            case Return(_, value):
                raise Return_(0 if value is None else self.value(value))

    # --- expressions ---------------------------------------------------------------------------

    def value(self, expression: Expression) -> int:
        match expression:
            case Literal(_, value):
                return value
            case String(_, text):
                return self.string(text)
            case Name(_, name):
                return self.frame[name] if name in self.frame else self.globals[name]
            case Call():
                return self.call(expression)
            case Negate(_, operand):
                return -self.value(operand) & WORD
            case Cast(_, _, operand):
                return self.value(operand)
            case Dereference(position, operand):
                address = self.value(operand)
                self.check(address, position, 4)
                return self.memory.get(address, 0)
            case Binary():
                return self.binary(expression)
        raise AssertionError(expression)

    def binary(self, binary: Binary) -> int:
        a, b = self.value(binary.left), self.value(binary.right)
        left, right = binary.left.type, binary.right.type
        operator = binary.operator
        if operator in ("/", "%") and b == 0:
            raise Error(2 if operator == "/" else 3, binary.position)
        if operator in ("+", "-") and binary.type is Type.POINTER:
            a, b = (a, b * SIZE) if left is Type.POINTER else (a * SIZE, b)
        result = OPERATORS[operator](a, b) & WORD
        if operator == "-" and left is right is Type.POINTER:
            result //= SIZE
        return result

    def check(self, address: int, position: Position, number: int) -> None:
        if address < self.lowest:
            raise Error(number, position)
        if address >= UPPER:
            raise Error(number + 1, position)
        if address % SIZE:
            raise Error(number + 2, position)

    # --- calls ---------------------------------------------------------------------------------

    def call(self, call: Call) -> int:
        arguments = [self.value(argument) for argument in call.arguments]
        builtin = getattr(self, f"builtin_{call.name}", None)
        if builtin is not None:
            return int(builtin(call.position, *arguments))
        return self.procedure(self.checked.procedures[call.name], arguments)

    def builtin_exit(self, position: Position, code: int) -> int:
        raise Exit(code)

    def builtin_malloc(self, position: Position, size: int) -> int:
        size += -size % SIZE
        if size > UPPER - self.bump - 2**20:
            return 0
        place, self.bump = self.bump, self.bump + size
        return place

    def builtin_read(self, position: Position, descriptor: int, buffer: int, size: int) -> int:
        if size == 0:
            return 0
        if descriptor != 0:
            return WORD
        taken, done = self.given, 0
        while done < size:
            address = buffer + done & WORD
            self.check(address, position, 7)
            piece = taken[done : done + min(SIZE, size - done)]
            old = self.memory.get(address, 0).to_bytes(SIZE, "little")
            self.memory[address] = int.from_bytes(piece + old[len(piece) :], "little")
            done += len(piece)
            if len(piece) < SIZE:
                break
        self.given = taken[done:]
        return done

    def builtin_write(self, position: Position, descriptor: int, buffer: int, size: int) -> int:
        if size:
            self.check(buffer, position, 7)
            if buffer + size > UPPER:
                raise Error(8, position)
        if descriptor not in (1, 2):
            return WORD
        words = range(buffer, buffer + size, SIZE)
        content = b"".join(self.memory.get(at, 0).to_bytes(SIZE, "little") for at in words)
        self.output += content[:size]
        return size

    def builtin_open(self, position: Position, name: int, flags: int, mode: int) -> int:
        self.check(name, position, 7)
        return WORD

    def string(self, text: bytes) -> int:
        content = text + bytes(SIZE - len(text) % SIZE)
        place = STRINGS + 64 * (hash(text) % 2**20)
        for at in range(0, len(content), SIZE):
            self.memory[place + at] = int.from_bytes(content[at : at + SIZE], "little")
        return place


OPERATORS: dict[str, Callable[[int, int], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
