"""Each instruction and system call against a table that was written by hand.

The emulator, the models and the direct engine share one step function, so that none of them can
tell if it is wrong.  The numbers here come from the text of the RISC-V specification (RV64I and M,
without its results of a division by zero, which are errors here) and from what is said of system
calls; nothing is computed by the code under test.  Each row is run on numbers, and once more
symbolically with all registers unknown.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import pytest

from solvent.riscu.effects import (
    DONE,
    INPUTS,
    LOADED,
    PROGRAM_BREAK,
    UNKNOWN,
    effect_of,
)
from solvent.riscu.faults import (
    AddressAbove,
    AddressBelow,
    AddressUnaligned,
    BufferAbove,
    BufferBelow,
    BufferUnaligned,
    DivisionByZero,
    Exited,
    InvalidSyscall,
    RemainderByZero,
)
from solvent.riscu.instructions import NUMBER, Instruction, encode
from solvent.riscu.memory import Memory
from solvent.riscu.program import Program
from solvent.riscu.state import REGISTER_COUNT, Machine
from solvent.riscu.step import EXECUTE
from solvent.riscu.system import System
from solvent.terms import Model, bv

MOST = 0xFFFF_FFFF_FFFF_FFFF
# Four instructions, of which the second is executed; then 16 bytes of data, and the heap.
CODE, PC, CODE_END = 0x10000, 0x10004, 0x10010
DATA, HEAP = 0x11000, 0x11010
LAST_WORD, TOP = 0xFFFF_FFF8, 0x1_0000_0000
T0, T1, T2 = NUMBER["t0"], NUMBER["t1"], NUMBER["t2"]
SP, A0, A1, A2, A7 = (NUMBER[name] for name in ("sp", "a0", "a1", "a2", "a7"))
NOTHING = encode(Instruction("addi"))
PROGRAM = Program([NOTHING] * 4, bytes(16), DATA, CODE)


@dataclass
class Row:
    """An instruction, what holds before it, and what it changes or raises."""

    name: str
    instruction: Instruction
    registers: dict[int, int]
    changed: dict[int, int] = field(default_factory=dict)
    pc: int = PC + 4
    fault: type[Exception] | None = None
    value: int = 0
    memory: dict[int, int] = field(default_factory=dict)
    stored: dict[int, int] = field(default_factory=dict)
    given: bytes = b""
    program_break: int = HEAP
    new_break: int = HEAP
    done: int = 0
    new_done: int = 0
    output: bytes = b""


def binary(name: str, a: int, b: int, result: int) -> Row:
    """An instruction on two registers."""
    text = f"{name} {a:#x} {b:#x}"
    return Row(text, Instruction(name, T2, T0, T1), {T0: a, T1: b}, {T2: result})


ARITHMETIC = [
    binary("add", 1, 2, 3),
    binary("add", MOST, 1, 0),
    binary("add", 0x8000_0000_0000_0000, 0x8000_0000_0000_0000, 0),
    binary("add", 0x7FFF_FFFF_FFFF_FFFF, 1, 0x8000_0000_0000_0000),
    binary("sub", 5, 3, 2),
    binary("sub", 0, 1, MOST),
    binary("sub", 3, 5, 0xFFFF_FFFF_FFFF_FFFE),
    binary("sub", 0x8000_0000_0000_0000, 1, 0x7FFF_FFFF_FFFF_FFFF),
    binary("mul", 6, 7, 42),
    binary("mul", MOST, MOST, 1),
    binary("mul", MOST, 2, 0xFFFF_FFFF_FFFF_FFFE),
    binary("mul", 0x1_0000_0000, 0x1_0000_0000, 0),
    binary("mul", 0x1_0000_0001, 0x1_0000_0001, 0x2_0000_0001),
    binary("divu", 42, 5, 8),
    binary("divu", 4, 5, 0),
    binary("divu", MOST, 1, MOST),
    binary("divu", MOST, MOST, 1),
    # Without signs: minus two by two is large.
    binary("divu", 0xFFFF_FFFF_FFFF_FFFE, 2, 0x7FFF_FFFF_FFFF_FFFF),
    binary("remu", 42, 5, 2),
    binary("remu", 4, 5, 4),
    binary("remu", MOST, 10, 5),
    binary("remu", 0, MOST, 0),
    binary("sltu", 1, 2, 1),
    binary("sltu", 2, 2, 0),
    binary("sltu", 2, 1, 0),
    binary("sltu", 0, MOST, 1),
    binary("sltu", MOST, 0, 0),
    binary("sltu", 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 1),
    Row("divu by 0", Instruction("divu", T2, T0, T1), {T0: 7}, fault=DivisionByZero),
    Row("divu 0 by 0", Instruction("divu", T2, T0, T1), {}, fault=DivisionByZero),
    Row("remu by 0", Instruction("remu", T2, T0, T1), {T0: 7}, fault=RemainderByZero),
    Row("addi", Instruction("addi", T2, T0, imm=2047), {T0: 1}, {T2: 2048}),
    Row("addi -2048", Instruction("addi", T2, T0, imm=-2048), {T0: 2048}, {T2: 0}),
    Row("addi below 0", Instruction("addi", T2, T0, imm=-1), {}, {T2: MOST}),
    Row("addi beyond", Instruction("addi", T2, T0, imm=1), {T0: MOST}, {T2: 0}),
    Row("addi itself", Instruction("addi", T0, T0, imm=1), {T0: 1}, {T0: 2}),
    Row("addi to zero", Instruction("addi", 0, T0, imm=1), {T0: 1}),
    Row("add to zero", Instruction("add", 0, T0, T1), {T0: 1, T1: 1}),
    Row("lui", Instruction("lui", T2, imm=1), {}, {T2: 0x1000}),
    Row("lui largest", Instruction("lui", T2, imm=0x7FFFF), {}, {T2: 0x7FFF_F000}),
    # The upper bits are those of the sign.
    Row("lui negative", Instruction("lui", T2, imm=-1), {}, {T2: 0xFFFF_FFFF_FFFF_F000}),
    Row("lui smallest", Instruction("lui", T2, imm=-0x80000), {}, {T2: 0xFFFF_FFFF_8000_0000}),
]


def load(name: str, base: int, imm: int, address: int) -> Row:
    """A load of a word that is there."""
    memory = {address: 0x1122_3344_5566_7788}
    changed = {T2: 0x1122_3344_5566_7788}
    return Row(f"ld {name}", Instruction("ld", T2, T0, imm=imm), {T0: base}, changed, memory=memory)


def store(name: str, base: int, imm: int, address: int) -> Row:
    """A store of a word."""
    row = Row(f"sd {name}", Instruction("sd", 0, T0, T1, imm), {T0: base, T1: MOST})
    row.stored = {address: MOST}
    return row


def refused(name: str, base: int, imm: int, fault: type[Exception], address: int) -> list[Row]:
    """A load and a store that fail."""
    registers = {T0: base, T1: 1}
    return [
        Row(f"ld {name}", Instruction("ld", T2, T0, 0, imm), registers, fault=fault, value=address),
        Row(f"sd {name}", Instruction("sd", 0, T0, T1, imm), registers, fault=fault, value=address),
    ]


MEMORY = [
    load("first word", DATA, 0, DATA),
    load("from above", 0x11008, -8, DATA),
    load("last word", LAST_WORD, 0, LAST_WORD),
    load("to the last word", 0xFFFF_F800, 2040, LAST_WORD),
    load("heap", HEAP, 8, 0x11018),
    store("first word", DATA, 0, DATA),
    store("last word", LAST_WORD, 0, LAST_WORD),
    store("heap", 0x11018, -8, HEAP),
    *refused("below the data", DATA, -8, AddressBelow, 0x10FF8),
    *refused("one byte below", DATA, -1, AddressBelow, 0x10FFF),
    *refused("code", CODE, 0, AddressBelow, CODE),
    *refused("null", 0, 0, AddressBelow, 0),
    *refused("above", LAST_WORD, 8, AddressAbove, TOP),
    *refused("far above", MOST, -7, AddressAbove, 0xFFFF_FFFF_FFFF_FFF8),
    *refused("around", MOST, 1, AddressBelow, 0),
    *refused("unaligned", DATA, 1, AddressUnaligned, 0x11001),
    *refused("half a word", DATA, 4, AddressUnaligned, 0x11004),
    *refused("last byte", LAST_WORD, 7, AddressUnaligned, 0xFFFF_FFFF),
]

CONTROL = [
    Row("beq taken", Instruction("beq", 0, T0, T1, 8), {T0: 5, T1: 5}, pc=PC + 8),
    Row("beq back", Instruction("beq", 0, T0, T1, -4), {T0: MOST, T1: MOST}, pc=PC - 4),
    Row("beq not taken", Instruction("beq", 0, T0, T1, 8), {T0: 5, T1: 4}),
    Row("beq upper half", Instruction("beq", 0, T0, T1, 8), {T0: 0x1_0000_0000}),
    Row("jal", Instruction("jal", T2, imm=8), {}, {T2: 0x10008}, pc=PC + 8),
    Row("jal back", Instruction("jal", T2, imm=-4), {}, {T2: 0x10008}, pc=PC - 4),
    Row("jal to zero", Instruction("jal", 0, imm=8), {}, pc=PC + 8),
    Row("jalr", Instruction("jalr", T2, T0, imm=0), {T0: 0x1000C}, {T2: 0x10008}, pc=0x1000C),
    Row("jalr start", Instruction("jalr", T2, T0, imm=-4), {T0: PC}, {T2: 0x10008}, pc=CODE),
    # The lowest bit of the target is ignored.
    Row("jalr odd", Instruction("jalr", T2, T0, imm=1), {T0: CODE}, {T2: 0x10008}, pc=CODE),
    # The target is read before the link is written.
    Row("jalr itself", Instruction("jalr", T0, T0, imm=0), {T0: CODE}, {T0: 0x10008}, pc=CODE),
    Row("jalr to zero", Instruction("jalr", 0, T0, imm=0), {T0: 0x1000C}, pc=0x1000C),
    Row(
        "jalr below",
        Instruction("jalr", T2, T0, imm=-4),
        {T0: CODE},
        fault=AddressBelow,
        value=0xFFFC,
    ),
    Row(
        "jalr behind", Instruction("jalr", T2, T0), {T0: CODE_END}, fault=AddressAbove,
        value=CODE_END,
    ),
    Row(
        "jalr half", Instruction("jalr", T2, T0, imm=2), {T0: CODE}, fault=AddressUnaligned,
        value=0x10002,
    ),
]  # fmt: skip


def call(name: str, number: int, *parameters: int, **more: Any) -> Row:
    """A system call; it returns `result` or raises `fault`."""
    registers = {A7: number, SP: 0xFFFF_F000}
    registers |= dict(zip((A0, A1, A2), parameters, strict=False))
    result = more.pop("result", None)
    registers |= more.pop("registers", {})
    changed = {} if result is None else {A0: result}
    return Row(name, Instruction("ecall"), registers, changed, **more)


READ, WRITE, OPEN, EXIT, BRK = 63, 64, 56, 93, 214
CALLS = [
    *[
        call(f"number {number}", number, fault=InvalidSyscall, value=number)
        for number in (0, 1, 55, 57, 62, 65, 92, 94, 213, 215, MOST)
    ],
    call("exit 0", EXIT, 0, fault=Exited, value=0),
    call("exit", EXIT, MOST, fault=Exited, value=MOST),
    # brk: the heap grows in whole words and stays below the stack.
    call("brk", BRK, HEAP + 8, result=HEAP + 8, new_break=HEAP + 8),
    call("brk as it is", BRK, HEAP, result=HEAP),
    call("brk 0", BRK, 0, result=HEAP),
    call("brk lower", BRK, HEAP - 8, result=HEAP),
    call("brk to the stack", BRK, 0xFFFF_F000, result=HEAP),
    call("brk below the stack", BRK, 0xFFFF_EFF8, result=0xFFFF_EFF8, new_break=0xFFFF_EFF8),
    call("brk above", BRK, MOST - 7, result=HEAP),
    *[call(f"brk unaligned {more}", BRK, HEAP + 8 + more, result=HEAP) for more in range(1, 8)],
    call(
        "brk lower than now",
        BRK,
        HEAP + 8,
        result=HEAP + 16,
        program_break=HEAP + 16,
        new_break=HEAP + 16,
    ),
    # write: whole words of the memory, from the first to the last.
    call("write", WRITE, 1, DATA, 3, result=3, memory={DATA: 0x646362_61}, output=b"abc"),
    call("write 2", WRITE, 2, DATA, 8, result=8, output=bytes(8)),
    call(
        "write two words", WRITE, 1, DATA, 9, result=9, memory={DATA + 8: 0x61},
        output=bytes(8) + b"a",
    ),
    call("write the last word", WRITE, 1, LAST_WORD, 8, result=8, output=bytes(8)),
    call("write to its end", WRITE, 1, LAST_WORD - 8, 16, result=16, output=bytes(16)),
    call("write less of it", WRITE, 1, LAST_WORD, 7, result=7, output=bytes(7)),
    call("write too much", WRITE, 1, LAST_WORD, 9, fault=BufferAbove, value=TOP),
    call("write far too much", WRITE, 1, DATA, MOST, fault=BufferAbove, value=0x10FFE),
    call("write nothing", WRITE, 1, DATA, 0, result=0),
    call("write nothing from nowhere", WRITE, 1, 3, 0, result=0),
    call("write below", WRITE, 1, DATA - 8, 8, fault=BufferBelow, value=DATA - 8),
    call("write above", WRITE, 1, TOP, 1, fault=BufferAbove, value=TOP),
    call("write unaligned", WRITE, 1, DATA + 4, 1, fault=BufferUnaligned, value=DATA + 4),
    call("write to no file", WRITE, 3, DATA, 8, result=MOST),
    call("write to the input", WRITE, 0, DATA, 8, result=MOST),
    # read: up to eight bytes in a step; it stays where it is until it has all.
    call("read 1", READ, 0, DATA, 1, result=1, given=b"a", stored={DATA: 0x61}),
    call(
        "read keeps the rest", READ, 0, DATA, 2, result=2, given=b"ab", memory={DATA: MOST},
        stored={DATA: 0xFFFF_FFFF_FFFF_6261},
    ),
    call(
        "read 8", READ, 0, DATA, 8, result=8, given=b"abcdefgh",
        stored={DATA: 0x6867_6665_6463_6261},
    ),
    call(
        "read 9", READ, 0, DATA, 9, given=b"abcdefghi", stored={DATA: 0x6867_6665_6463_6261},
        pc=PC, new_done=8,
    ),
    call(
        "read the ninth", READ, 0, DATA, 9, result=9, given=b"i", stored={DATA + 8: 0x69}, done=8
    ),
    call("read nothing", READ, 0, DATA, 0, result=0),
    call("read nothing to nowhere", READ, 0, 3, 0, result=0),
    call("read the last word", READ, 0, LAST_WORD, 1, result=1, given=b"a", stored={LAST_WORD: 97}),
    call("read beyond", READ, 0, LAST_WORD, 9, given=b"a", done=8, fault=BufferAbove, value=TOP),
    call("read below", READ, 0, DATA - 8, 1, given=b"a", fault=BufferBelow, value=DATA - 8),
    call("read above", READ, 0, TOP, 1, given=b"a", fault=BufferAbove, value=TOP),
    call("read unaligned", READ, 0, DATA + 1, 1, given=b"a", fault=BufferUnaligned, value=0x11001),
    call("read from the output", READ, 1, DATA, 1, result=MOST),
    call("read from no file", READ, 7, 3, 1, result=MOST),
    # open: there are no files, but the name must be somewhere.
    call("open", OPEN, 0, DATA, 0, result=MOST),
    call("open last word", OPEN, 0, LAST_WORD, 0, result=MOST),
    call("open below", OPEN, 0, DATA - 8, 0, fault=BufferBelow, value=DATA - 8),
    call("open above", OPEN, 0, TOP, 0, fault=BufferAbove, value=TOP),
    call("open unaligned", OPEN, 0, DATA + 2, 0, fault=BufferUnaligned, value=DATA + 2),
]  # fmt: skip

TABLE = [*ARITHMETIC, *MEMORY, *CONTROL, *CALLS]
each_row = pytest.mark.parametrize("row", TABLE, ids=[row.name for row in TABLE])


@each_row
def test_on_numbers(row: Row) -> None:
    registers = [row.registers.get(number, 0) for number in range(REGISTER_COUNT)]
    memory = Memory(dict(row.memory))
    system = System(io.BytesIO(row.given))
    machine = Machine(PROGRAM, registers, memory, system, row.program_break, row.done)
    machine.pc = PC
    before = list(registers)
    execute = EXECUTE[row.instruction.name]
    if row.fault is not None:
        with pytest.raises(row.fault) as raised:
            execute(machine, row.instruction)
        assert raised.value.args[0] == row.value
        assert (machine.pc, memory.words) == (PC, row.memory)
        return
    execute(machine, row.instruction)
    expected = dict(enumerate(before)) | row.changed
    # The last register takes what is written to zero.
    assert registers[:-1] == [expected[number] for number in range(REGISTER_COUNT - 1)]
    assert machine.pc == row.pc
    assert memory.words == row.memory | row.stored
    assert (machine.program_break, machine.done) == (row.new_break, row.new_done)
    assert bytes(system.written) == row.output


@each_row
def test_symbolically(row: Row) -> None:
    effect = effect_of(PROGRAM, PC, row.instruction, {})
    found = {UNKNOWN[n]: bv(row.registers.get(n, 0), 64) for n in range(len(UNKNOWN))}
    found |= {PROGRAM_BREAK: bv(row.program_break, 64), DONE: bv(row.done, 64)}
    for number, constant in enumerate(INPUTS):
        content = row.given[: number + 1].ljust(number + 1, b"\0")
        found[constant] = bv(int.from_bytes(content, "little"), 8 * (number + 1))

    def value(term: Any) -> Any:
        result = Model(found).evaluate(term)
        return result if isinstance(result, bool) else int(result)

    found[LOADED] = bv(row.memory.get(value(effect.address), 0), 64)
    ends = [end for condition, end in effect.faults if value(condition) is True]
    if row.fault is not None:
        assert [type(end) for end in ends] == [row.fault]
        assert value(effect.normal) is False
        assert value(ends[0].args[0]) == row.value
        return
    assert ends == []
    assert value(effect.normal) is True
    registers = {n: row.registers.get(n, 0) for n in range(REGISTER_COUNT - 1)}
    after = registers | {n: value(term) for n, term in effect.registers.items()}
    assert after == registers | row.changed
    if effect.jump is None:
        assert [target for condition, target in effect.targets if value(condition)] == [row.pc]
    else:
        assert value(effect.jump) == row.pc
    stored = {value(effect.place): value(effect.value)} if value(effect.stores) else {}
    assert stored == row.stored
    assert (value(effect.program_break), value(effect.done)) == (row.new_break, row.new_done)


def test_every_instruction_is_in_the_table() -> None:
    assert {row.instruction.name for row in TABLE} == set(EXECUTE)
