"""The step function, run symbolically: effects agree with the emulator on random words."""

from __future__ import annotations

import random

import pytest

from solvent.riscu.cstar import compile_text
from solvent.riscu.effects import (
    DONE,
    INPUTS,
    LOADED,
    PROGRAM_BREAK,
    UNKNOWN,
    chunk_of,
    effect_of,
)
from solvent.riscu.faults import Exited, Fault
from solvent.riscu.instructions import NAMES, Instruction
from solvent.riscu.memory import Memory
from solvent.riscu.state import Machine
from solvent.riscu.step import EXECUTE, execute
from solvent.riscu.system import System
from solvent.riscu.words import leaves, plain
from solvent.terms import BitVec, bv, evaluate, ite

PROGRAM = compile_text("uint64_t main() { return 0; }")
CORNERS = (0, 1, 7, 8, 63, 64, 93, 214, 0x11000, 0x11008, 2**32 - 8, 2**32, 2**63, 2**64 - 1)


class Bytes(System):
    """An endless input of one byte."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]

    def read(self, descriptor: int, count: int) -> tuple[int, int]:
        return int.from_bytes(b"\x5a" * count, "little"), count


def machine(registers: list[int], loaded: int, program_break: int, done: int) -> Machine:
    memory = Memory(dict.fromkeys((*range(0x11000, 0x11100, 8), 2**32 - 8), loaded))
    made = Machine(PROGRAM, [*registers, 0], memory, Bytes(), program_break, done)
    made.pc = 0x10010
    return made


@pytest.mark.parametrize("name", NAMES)
def test_effects_agree_with_the_emulator(name: str) -> None:
    pick = random.Random(name)
    for _ in range(12):
        instruction = Instruction(
            name, *(pick.randrange(32) for _ in range(3)), pick.choice((-8, 0, 4, 8, 16))
        )
        effect = effect_of(PROGRAM, 0x10010, instruction, {})
        for _ in range(8):
            registers = [0] + [
                pick.choice((*CORNERS, pick.getrandbits(64), 0x10000 + 4 * pick.randrange(8)))
                for _ in range(31)
            ]
            loaded, program_break = pick.getrandbits(64), 0x11010
            done = pick.choice((0, 0, 3))
            compare(instruction, effect, registers, loaded, program_break, done)


def compare(instruction, effect, registers, loaded, program_break, done) -> None:  # type: ignore[no-untyped-def]
    values = dict(zip(UNKNOWN, registers, strict=True))
    values |= {LOADED: loaded, PROGRAM_BREAK: program_break, DONE: done}
    values |= {one: int("5a" * (number + 1), 16) for number, one in enumerate(INPUTS)}
    made = machine(registers, loaded, program_break, done)
    ended: BaseException | None = None
    try:
        EXECUTE[instruction.name](made, instruction)
    except (Exited, Fault) as end:
        ended = end
    holding = [end for condition, end in effect.faults if evaluate(condition, values)]
    assert bool(evaluate(effect.normal, values)) == (ended is None)
    if ended is not None:
        assert [type(end) for end in holding] == [type(ended)]
        assert plain(evaluate(holding[0].args[0], values)) == ended.args[0]
        return
    assert holding == []
    if evaluate(effect.loads, values):
        # The emulator's memory holds the loaded word at every address that can be accessed here.
        address = plain(evaluate(effect.address, values))
        if address not in machine(registers, loaded, 0, 0).memory.words:  # type: ignore[attr-defined]
            return
    for number in range(1, 32):
        found = effect.registers.get(number, registers[number])
        assert plain(evaluate(found, values)) == made.registers[number]
    assert plain(evaluate(effect.program_break, values)) == made.program_break
    assert plain(evaluate(effect.done, values)) == made.done
    targets = [target for condition, target in effect.targets if evaluate(condition, values)]
    if effect.jump is not None:
        targets.append(plain(evaluate(effect.jump, values)))
    assert targets == [made.pc]
    if evaluate(effect.stores, values):
        place = plain(evaluate(effect.place, values))
        assert made.memory.load(place) == plain(evaluate(effect.value, values))


@pytest.mark.parametrize("size", range(1, 9))
def test_the_input_of_the_right_size_is_taken(size: int) -> None:
    values = {one: number + 1 for number, one in enumerate(INPUTS)}
    count = BitVec("count", 64)
    assert plain(evaluate(chunk_of(count), {**values, count: size})) == size
    assert plain(evaluate(chunk_of(bv(size, 64)), values)) == size


def test_the_lifted_step_runs_on_numbers_too() -> None:
    made = machine([0] * 32, 9, 0x11010, 0)
    execute(made, Instruction("lui", 5, imm=0x11))
    execute(made, Instruction("ld", 6, 5))
    assert (plain(made.registers[5]), made.registers[6], made.pc) == (0x11000, 9, 0x10018)


def test_leaves() -> None:
    x = BitVec("x", 64)
    assert leaves(5) == [(True, 5)]
    assert leaves(x) is None
    assert leaves(ite(x == 1, x, bv(3, 64))) is None
    assert leaves(ite(x == 1, bv(4, 64), bv(3, 64))) == [(x == 1, 4), (x != 1, 3)]
