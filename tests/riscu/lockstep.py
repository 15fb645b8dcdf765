"""The model and the emulator of one program, step by step beside each other."""

from __future__ import annotations

import random

from solvent.btor2.simulate import Simulator
from solvent.riscu.emulator import Emulator
from solvent.riscu.faults import Exited, Fault
from solvent.riscu.instructions import REGISTERS
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program


def lockstep(program: Program, seed: int, most_steps: int, length: int | None = None) -> str:
    """Compare every state; how it ended.  The input ends after some bytes if so said."""
    model = generate_model(program, input_ends=length is not None)
    given = random.Random(seed).randbytes(1000 if length is None else length)
    emulator = Emulator(program, given)
    machine, system = emulator.machine, emulator.system
    chunk = b""

    def inputs(position: int, time: int) -> int:
        # Only the input of the right size is looked at.
        return int.from_bytes(chunk, "little") if position == len(chunk) - 1 else 0xAA

    names = [node.symbol for node in model.states]

    def states(position: int, time: int) -> int:
        assert names[position] == "input-length"
        return len(given)

    simulator = Simulator(model, inputs, states)
    for _ in range(most_steps):
        before = (machine.pc, machine.registers[:], machine.program_break, machine.done)
        memory = {address: value for address, value in emulator.memory.words.items() if value}
        consumed, ended = system.consumed, None
        try:
            emulator.step()
        except (Exited, Fault) as end:
            ended = end
        chunk = given[consumed : system.consumed]
        step = simulator.step()
        found = dict(zip(names, step.states, strict=True))
        pc, registers, program_break, done = before
        active = [name for name, value in found.items() if name.startswith("pc=") and value]
        assert active == [f"pc={pc:#x}"]
        for number, name in enumerate(REGISTERS[1:], 1):
            assert found[name] == registers[number], (name, step.time)
        assert (found["program-break"], found["bytes-read"]) == (program_break, done)
        table = {address: value for address, value in found["memory"].items() if value}
        assert table == memory
        bads = [number for number, value in enumerate(step.bads) if value]
        if ended is not None:
            if isinstance(ended, Fault):
                assert bads == [ended.number]
            else:
                assert bads == ([1] if ended.code else [])
            # The machine has stopped: nothing is active, and nothing bad happens any more.
            after = simulator.step()
            assert not any(after.bads)
            last = dict(zip(names, after.states, strict=True))
            assert not any(value for name, value in last.items() if name.startswith("pc="))
            return type(ended).__name__
        assert bads == []
    return "still running"
