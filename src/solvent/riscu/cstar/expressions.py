"""Code for expressions: operands on a stack of temporary registers.

`expression(e, depth)` leaves the value of `e` in the temporary register number `depth` and leaves
those below alone; at the last register, left operands wait on the machine's stack instead.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.riscu.cstar.assembly import Assembly
from solvent.riscu.cstar.data import DataSegment
from solvent.riscu.cstar.library import A0, FP, GP, RA, SP, ZERO
from solvent.riscu.cstar.syntax import (
    Binary,
    Call,
    Cast,
    Dereference,
    Expression,
    Literal,
    Name,
    Negate,
    String,
    Type,
)
from solvent.riscu.instructions import NUMBER
from solvent.riscu.program import SIZE

TEMPORARIES = [NUMBER[name] for name in ("t0", "t1", "t2", "t3", "t4", "t5")]
LAST = len(TEMPORARIES) - 1
# Holds nothing from one instruction sequence to the next.
SCRATCH = NUMBER["t6"]

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "divu", "%": "remu"}


class Expressions:
    """The part of the code generator that knows expressions."""

    def __init__(self, code: Assembly, data: DataSegment) -> None:
        self.code = code
        self.data = data
        # The offsets of parameters and local variables from the frame pointer.
        self.places: dict[str, int] = {}

    # --- constants, variables, the stack -------------------------------------------------------

    def constant(self, register: int, value: int) -> None:
        """Load a constant."""
        signed = value - 2**64 if value >> 63 else value
        if -2048 <= signed < 2048:
            self.code.emit("addi", register, ZERO, imm=signed)
        elif -(2**31) <= signed < 2**31 - 2048:
            low = (signed & 0xFFF) - (0x1000 if signed & 0x800 else 0)
            self.code.emit("lui", register, imm=(signed - low) >> 12)
            if low:
                self.code.emit("addi", register, register, imm=low)
        else:
            self.memory("ld", register, GP, self.data.word(value))

    def memory(self, name: str, register: int, base: int, offset: int) -> None:
        """Load or store at an offset from a register."""
        if not -2048 <= offset < 2048:
            low = (offset & 0xFFF) - (0x1000 if offset & 0x800 else 0)
            self.code.emit("lui", SCRATCH, imm=(offset - low) >> 12)
            self.code.emit("add", SCRATCH, SCRATCH, base)
            base, offset = SCRATCH, low
        if name == "ld":
            self.code.emit("ld", register, base, imm=offset)
        else:
            self.code.emit("sd", 0, base, register, offset)

    def variable(self, name: str, register: int, variable: str) -> None:
        """Load or store a variable."""
        if variable in self.places:
            self.memory(name, register, FP, self.places[variable])
        else:
            self.memory(name, register, GP, self.data.variables[variable])

    def add_constant(self, to: int, register: int, value: int) -> None:
        """Add a constant of at most 32 bits to a register."""
        if -2048 <= value < 2048:
            self.code.emit("addi", to, register, imm=value)
        else:
            self.constant(SCRATCH, value % 2**64)
            self.code.emit("add", to, register, SCRATCH)

    def move_stack(self, distance: int) -> None:
        """Move the stack pointer."""
        if distance:
            self.add_constant(SP, SP, distance)

    # --- expressions ---------------------------------------------------------------------------

    def expression(self, expression: Expression, depth: int) -> int:
        """Evaluate an expression; the register that holds its value."""
        register = TEMPORARIES[depth]
        match expression:
            case Literal():
                self.code.position = expression.position
                self.constant(register, expression.value)
            case String():
                self.code.position = expression.position
                self.add_constant(register, GP, self.data.string(expression.value))
            case Name():
                self.code.position = expression.position
                self.variable("ld", register, expression.name)
            case Call():
                self.call(expression, depth)
                self.code.emit("addi", register, A0)
            case Negate():
                self.expression(expression.operand, depth)
                self.code.position = expression.position
                self.code.emit("sub", register, ZERO, register)
            case Dereference():
                self.expression(expression.operand, depth)
                self.code.position = expression.position
                self.code.emit("ld", register, register)
            case Cast():
                self.expression(expression.operand, depth)
            case Binary():
                self.operands(expression, depth, self.binary)
        return register

    def operands(
        self, binary: Binary, depth: int, action: Callable[[Binary, int, int, int], None]
    ) -> None:
        """Evaluate both operands, then act on the registers for result, left and right."""
        register = TEMPORARIES[depth]
        self.operand(binary, binary.left, binary.right, depth)
        if depth < LAST:
            self.operand(binary, binary.right, binary.left, depth + 1)
            self.code.position = binary.position
            action(binary, register, register, TEMPORARIES[depth + 1])
            return
        self.move_stack(-SIZE)
        self.code.emit("sd", 0, SP, register)
        self.operand(binary, binary.right, binary.left, depth)
        self.code.position = binary.position
        self.code.emit("ld", SCRATCH, SP)
        self.move_stack(SIZE)
        action(binary, register, SCRATCH, register)

    def operand(self, binary: Binary, operand: Expression, other: Expression, depth: int) -> None:
        """Evaluate an operand, scaled if it is a number beside a pointer."""
        scaled = (
            binary.type is Type.POINTER and operand.type is Type.WORD and other.type is Type.POINTER
        )
        if scaled and isinstance(operand, Literal):
            self.code.position = operand.position
            self.constant(TEMPORARIES[depth], operand.value * SIZE % 2**64)
            return
        register = self.expression(operand, depth)
        if scaled:
            self.code.emit("addi", SCRATCH, ZERO, imm=SIZE)
            self.code.emit("mul", register, register, SCRATCH)

    def binary(self, binary: Binary, to: int, left: int, right: int) -> None:
        """Combine two registers."""
        emit, operator = self.code.emit, binary.operator
        if operator in _ARITHMETIC:
            emit(_ARITHMETIC[operator], to, left, right)
            if operator == "-" and binary.left.type is binary.right.type is Type.POINTER:
                emit("addi", SCRATCH, ZERO, imm=SIZE)
                emit("divu", to, to, SCRATCH)
        elif operator in ("==", "!="):
            emit("sub", to, left, right)
            if operator == "!=":
                emit("sltu", to, ZERO, to)
            else:
                emit("addi", SCRATCH, ZERO, imm=1)
                emit("sltu", to, to, SCRATCH)
        else:
            self.less(operator, to, left, right)
            if operator in ("<=", ">="):
                emit("addi", SCRATCH, ZERO, imm=1)
                emit("sub", to, SCRATCH, to)

    def less(self, operator: str, to: int, left: int, right: int) -> None:
        """Whether `<` or `>` holds, or whether `>=` or `<=` does not."""
        if operator in ("<", ">="):
            self.code.emit("sltu", to, left, right)
        else:
            self.code.emit("sltu", to, right, left)

    def call(self, call: Call, depth: int) -> None:
        """Call a procedure; its result is in `a0`."""
        count = len(call.arguments)
        self.code.position = call.position
        self.move_stack(-SIZE * (count + depth))
        for number in range(depth):
            self.memory("sd", TEMPORARIES[number], SP, SIZE * (count + number))
        for number, argument in enumerate(call.arguments):
            register = self.expression(argument, depth)
            self.code.position = call.position
            self.memory("sd", register, SP, SIZE * number)
        self.code.emit("jal", RA, target=call.name)
        for number in range(depth):
            self.memory("ld", TEMPORARIES[number], SP, SIZE * (count + number))
        self.move_stack(SIZE * (count + depth))

    # --- conditions ----------------------------------------------------------------------------

    def unless(self, test: Expression, target: str) -> None:
        """Go to a label if a condition does not hold."""
        if isinstance(test, Binary) and test.operator not in _ARITHMETIC:
            self.operands(
                test, 0, lambda binary, *registers: self.branch(binary, target, registers)
            )
        else:
            self.code.emit("beq", 0, self.expression(test, 0), ZERO, target=target)

    def branch(self, binary: Binary, target: str, registers: tuple[int, ...]) -> None:
        """Go to a label if a comparison does not hold."""
        to, left, right = registers
        if binary.operator == "!=":
            self.code.emit("beq", 0, left, right, target=target)
        elif binary.operator in ("<", ">"):
            self.less(binary.operator, to, left, right)
            self.code.emit("beq", 0, to, ZERO, target=target)
        else:
            # There is only a branch on equality: the other side jumps.
            holds = self.code.fresh()
            if binary.operator == "==":
                self.code.emit("beq", 0, left, right, target=holds)
            else:
                self.less(binary.operator, to, left, right)
                self.code.emit("beq", 0, to, ZERO, target=holds)
            self.code.emit("jal", target=target)
            self.code.label(holds)
