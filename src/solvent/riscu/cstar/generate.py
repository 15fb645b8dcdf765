"""From the syntax tree of C* to RISC-U.

The calling convention: arguments lie on the stack, the first at the lowest address, and the caller
takes them away again; the result is in `a0`; temporary registers belong to the caller, which saves
those that it still needs; `ra` and `fp` are saved by the callee, and `fp` points to them:

    fp + 16 + 8 i   argument i        fp + 8   return address
    fp - 8 - 8 i    local variable i  fp       the caller's fp

An expression is evaluated on a stack of temporary registers; when they run out, on the stack.
"""

from __future__ import annotations

from solvent.depth import deep_recursion
from solvent.riscu.cstar import library
from solvent.riscu.cstar.assembly import Assembly
from solvent.riscu.cstar.check import Checked
from solvent.riscu.cstar.data import REACH, DataSegment
from solvent.riscu.cstar.expressions import Expressions
from solvent.riscu.cstar.library import A0, FP, GP, RA, SP, ZERO
from solvent.riscu.cstar.syntax import (
    Assign,
    If,
    Name,
    Perform,
    Procedure,
    Return,
    Statement,
    While,
)
from solvent.riscu.instructions import Instruction, encode
from solvent.riscu.program import (
    CODE_START,
    PAGE,
    PROCEDURE,
    SIZE,
    VARIABLE,
    Program,
    Symbol,
)


def generate(checked: Checked) -> Program:
    """The program that a checked file stands for."""
    with deep_recursion():
        return _Generator(checked).program()


class _Generator(Expressions):
    def __init__(self, checked: Checked) -> None:
        super().__init__(Assembly(), DataSegment())
        self.checked = checked
        # The labels of procedures, with the number of the first line behind each.
        self.ends: dict[str, int] = {}
        self.leave = ""
        self.frames: dict[str, dict[str, int]] = {}

    def program(self) -> Program:
        # First, so that one instruction reaches the pointer of `malloc`.
        bump = self.data.variable(library.BUMP, 0) if self.uses("malloc") else 0
        for name, variable in self.checked.variables.items():
            self.data.variable(name, variable.value)
        main = self.checked.procedures["main"]
        library.start(self.code, len(main.parameters), self.uses("malloc"), bump)
        self.ends["_start"] = len(self.code.lines)
        for procedure in self.checked.procedures.values():
            if procedure.body is not None:
                self.procedure(procedure)
        self.code.position = None
        for name, emit in library.EMITTERS.items():
            if self.uses(name):
                self.code.label(name)
                emit(self.code, self.data)
                self.ends[name] = len(self.code.lines)
        return self.link()

    def uses(self, name: str) -> bool:
        return name in self.checked.builtins

    def link(self) -> Program:
        """Give everything its address."""
        code, labels, lines = self.code.resolve(CODE_START)
        end = CODE_START + 4 * len(code)
        data_start = end + -end % PAGE
        high, low = split(data_start + REACH)
        code[0] = Instruction("lui", GP, imm=high)
        code[1] = Instruction("addi", GP, GP, imm=low)
        symbols = self.symbols(labels, data_start, end)
        words = [encode(instruction) for instruction in code]
        file = self.checked.unit.file
        return Program(
            words,
            bytes(self.data.content),
            data_start,
            CODE_START,
            CODE_START,
            file,
            symbols,
            lines,
            self.frames,
        )

    def symbols(self, labels: dict[str, int], data_start: int, code_end: int) -> list[Symbol]:
        names = sorted(self.ends, key=labels.__getitem__)
        ends = [labels[name] for name in names[1:]] + [code_end]
        found = [
            Symbol(name, labels[name], end - labels[name], PROCEDURE)
            for name, end in zip(names, ends, strict=True)
        ]
        for name, place in self.data.variables.items():
            found.append(Symbol(name, data_start + REACH + place, SIZE, VARIABLE))
        return found

    # --- procedures ----------------------------------------------------------------------------

    def procedure(self, procedure: Procedure) -> None:
        code = self.code
        self.places = {
            variable.name: 2 * SIZE + SIZE * number
            for number, variable in enumerate(procedure.parameters)
        }
        for number, variable in enumerate(procedure.locals):
            self.places[variable.name] = -SIZE * (number + 1)
        self.frames[procedure.name] = self.places
        self.leave = code.fresh()
        code.position = procedure.position
        code.label(procedure.name)
        code.emit("addi", SP, SP, imm=-2 * SIZE)
        code.emit("sd", 0, SP, RA, SIZE)
        code.emit("sd", 0, SP, FP)
        code.emit("addi", FP, SP)
        self.move_stack(-SIZE * len(procedure.locals))
        body = procedure.body or []
        self.statements(body, last=True)
        code.position = procedure.end
        if not (body and isinstance(body[-1], Return)):
            code.emit("addi", A0, ZERO)
        code.label(self.leave)
        if procedure.locals:
            code.emit("addi", SP, FP)
        code.emit("ld", FP, SP)
        code.emit("ld", RA, SP, imm=SIZE)
        code.emit("addi", SP, SP, imm=2 * SIZE)
        library.back(code)
        self.ends[procedure.name] = len(code.lines)

    # --- statements ----------------------------------------------------------------------------

    def statements(self, statements: list[Statement], last: bool = False) -> None:
        for number, statement in enumerate(statements):
            self.statement(statement, last and number == len(statements) - 1)

    def statement(self, statement: Statement, last: bool) -> None:
        self.code.position = statement.position
        match statement:
            case Assign():
                self.assign(statement)
            case Perform():
                self.call(statement.call, 0)
            case While():
                self.loop(statement)
            case If():
                self.choice(statement)
            case Return():
                if statement.value is None:
                    self.code.emit("addi", A0, ZERO)
                else:
                    self.code.emit("addi", A0, self.expression(statement.value, 0))
                if not last:
                    self.code.emit("jal", target=self.leave)

    def assign(self, statement: Assign) -> None:
        if isinstance(statement.target, Name):
            value = self.expression(statement.value, 0)
            self.code.position = statement.position
            self.variable("sd", value, statement.target.name)
            return
        address = self.expression(statement.target.operand, 0)
        value = self.expression(statement.value, 1)
        self.code.position = statement.position
        self.code.emit("sd", 0, address, value)

    def loop(self, statement: While) -> None:
        head, end = self.code.fresh(), self.code.fresh()
        self.code.label(head)
        self.unless(statement.test, end)
        self.statements(statement.body)
        self.code.position = statement.position
        self.code.emit("jal", target=head)
        self.code.label(end)

    def choice(self, statement: If) -> None:
        otherwise, end = self.code.fresh(), self.code.fresh()
        self.unless(statement.test, otherwise)
        self.statements(statement.then)
        if statement.otherwise:
            self.code.emit("jal", target=end)
        self.code.label(otherwise)
        self.statements(statement.otherwise)
        self.code.label(end)


def split(value: int) -> tuple[int, int]:
    """What `lui` and an immediate must add up to.

    >>> split(0x12fff)
    (19, -1)
    """
    low = (value & 0xFFF) - (0x1000 if value & 0x800 else 0)
    return (value - low) >> 12, low
