"""The model generator: a program as a transition system, printed as BTOR2 (section 6.4).

Each instruction's effect comes from the step function (`effects`), run once on unknown registers
and memory; the program counter, one bit for each instruction, says which effect takes place.  All
loads and stores share one address, so that the memory is read and written at most once in each
step.  The bad states are those of figure 17, in its order; after one of them, or after an exit,
no instruction is active any more.

>>> from solvent.riscu.cstar import compile_text
>>> model = generate_model(compile_text("uint64_t main() { return 42; }"))
>>> [node.symbol for node in model.bads][:3]
['b0-ecall-invalid-syscall-id', 'b1-non-zero-exit-code', 'b2-division-by-zero']
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import overload

from solvent.btor2.builder import Builder
from solvent.btor2.syntax import Model
from solvent.riscu.effects import (
    DONE,
    INPUTS,
    LENGTH,
    LOADED,
    PROGRAM_BREAK,
    REQUESTED,
    UNKNOWN,
    ZERO,
    Effect,
    effect_of,
)
from solvent.riscu.faults import EXIT_PROPERTY, PROPERTIES, Exited, Fault
from solvent.riscu.instructions import REGISTERS, Instruction
from solvent.riscu.program import SIZE, Program
from solvent.riscu.state import SP, initial_stack
from solvent.riscu.words import WIDTH, Word, symbolic_word
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    BoolTerm,
    Term,
    and_,
    const_array,
    eq,
    ite,
    not_,
    or_,
    select,
    store,
    substitute,
)
from solvent.terms.kinds import ArrayLike, Bits, Guard, Operand

WORDS = BitVec(WIDTH)
MEMORY = Array("memory", WORDS, WORDS)
FREE_MEMORY = Array("uninitialized-memory", WORDS, WORDS)

# Stand for the address of an access, whether it may be accessed, and the target of a jump, until
# all accesses and jumps are known.
_ADDRESS = BitVec("address", WIDTH)
_ACCESSIBLE = Bool("accessible")
_JUMP = BitVec("jump", WIDTH)
# Any register but zero: the faults of loads, stores and jumps depend on one only.
_BASE = 5


def active(address: int) -> BoolTerm:
    """The bit that says that the counter is at an instruction."""
    return Bool(f"pc={address:#x}")


@dataclass(slots=True)
class Transitions:
    """The transition system under construction: what each instruction adds, merged by the counter.

    A list of pairs is an ordered choice, of which at most one condition holds.
    """

    program: Program
    bad_exit: int | None
    input_ends: bool = False
    registers: dict[int, list[tuple[Guard, Word]]] = field(default_factory=dict)
    counters: dict[int, list[Guard]] = field(default_factory=dict)
    accesses: list[tuple[Guard, Word]] = field(default_factory=list)
    stores: list[tuple[Guard, Word]] = field(default_factory=list)
    jumps: list[tuple[Guard, Word]] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    bads: list[list[Guard]] = field(default_factory=lambda: [[] for _ in PROPERTIES])

    # --- collecting ----------------------------------------------------------------------------

    def instruction(self, address: int, instruction: Instruction) -> None:
        """Add an instruction."""
        if instruction.name == "ecall":
            self.calls.append(address)
            return
        here = active(address)
        effect = effect_of(self.program, address, instruction, {})
        for number, value in effect.registers.items():
            self.registers.setdefault(number, []).append((here, value))
        if effect.loads is not False or effect.stores is not False:
            accessed = effect.address if effect.stores is False else effect.place
            self.accesses.append((here, accessed))
            if effect.stores is not False:
                self.stores.append((here, effect.value))
            # What an access can do wrong depends on the address, and is added once for all.
            self.go(effect.targets, and_(here, _ACCESSIBLE))
        elif effect.jump is not None:
            self.jumps.append((here, effect.jump))
        else:
            self.fails(here, effect)
            self.go(effect.targets, and_(here, effect.normal))

    def go(self, targets: Iterable[tuple[Guard, int]], guard: Guard) -> None:
        """The counter may go to targets."""
        for condition, target in targets:
            self.reaches(target, and_(guard, condition))

    def reaches(self, target: int, condition: Guard) -> None:
        """The counter goes to a target under a condition; outside of the code that is an error."""
        program = self.program
        if target < program.code_start:
            self.bads[4].append(condition)
        elif target >= program.code_end:
            self.bads[5].append(condition)
        elif target % 4:
            self.bads[6].append(condition)
        else:
            self.counters.setdefault(target, []).append(condition)

    def fails(self, guard: Guard, effect: Effect) -> None:
        """Add the errors of an effect to the bad states."""
        for condition, end in effect.faults:
            if isinstance(end, Exited):
                wrong = (
                    not_(eq(end.code, 0)) if self.bad_exit is None else eq(end.code, self.bad_exit)
                )
                self.bads[EXIT_PROPERTY].append(and_(guard, condition, wrong))
            else:
                assert isinstance(end, Fault)
                self.bads[end.number].append(and_(guard, condition))

    # --- what all accesses, jumps and calls share ----------------------------------------------

    def share_accesses(self) -> Guard:
        """One address for all loads and stores, and its errors; when it may be accessed."""
        guard = or_(*(here for here, _ in self.accesses))
        load = Instruction("ld", _BASE, _BASE)
        effect = effect_of(self.program, self.program.entry, load, {_BASE: _ADDRESS})
        self.fails(guard, effect)
        return effect.normal

    def share_jumps(self) -> None:
        """One target for all jumps to registers, and its errors."""
        program, entry = self.program, self.program.entry
        guard = or_(*(here for here, _ in self.jumps))
        jump = effect_of(program, entry, Instruction("jalr", 0, _BASE), {_BASE: _JUMP})
        self.fails(guard, jump)
        # Without a jump the target is zero, where no code is.
        for address in program.instructions:
            self.reaches(address, eq(_JUMP, address))

    def share_calls(self) -> Effect | None:
        """One system call for all."""
        if not self.calls:
            return None
        first = self.calls[0]
        guard = or_(*map(active, self.calls))
        requested = REQUESTED if self.input_ends else None
        effect = effect_of(self.program, first, Instruction("ecall"), {}, requested=requested)
        for number, value in effect.registers.items():
            self.registers.setdefault(number, []).append((guard, value))
        self.fails(guard, effect)
        for address in self.calls:
            moved = [(condition, target - first + address) for condition, target in effect.targets]
            self.go(moved, and_(active(address), effect.normal))
        return effect


def chosen(rows: Iterable[tuple[Guard, Word]], otherwise: Bits) -> Bits:
    """The value of an ordered choice."""
    result = otherwise
    for condition, value in reversed(list(rows)):
        result = ite(condition, value, result)
    return result


def generate_model(
    program: Program,
    bad_exit: int | None = None,
    free_memory: bool = False,
    input_ends: bool = False,
) -> Model:
    """The model of a program.

    The exit code that is bad is any but zero, or the given one.  Memory starts as in the emulator;
    if it is free, what neither data nor stack fill may have any value.  The input goes on for ever,
    as in the paper, or ends somewhere.
    """
    program.check_instructions()
    transitions = Transitions(program, bad_exit, input_ends)
    for address, instruction in program.instructions.items():
        transitions.instruction(address, instruction)
    accessible = transitions.share_accesses()
    transitions.share_jumps()
    call = transitions.share_calls()
    return _Printer(transitions, accessible, call, free_memory).model()


class _Printer:
    """Puts the transitions into a model, in the order of section 6.4."""

    def __init__(
        self, transitions: Transitions, accessible: Guard, call: Effect | None, free_memory: bool
    ) -> None:
        self.transitions = transitions
        self.program = transitions.program
        self.call = call
        self.called = or_(*map(active, transitions.calls))
        self.free_memory = free_memory
        self.builder = Builder(self.program.source or "program")
        self.known = self._placeholders(accessible)

    def _placeholders(self, accessible: Guard) -> dict[Term, Operand]:
        """What stands for the constants that are no states."""
        t, call = self.transitions, self.call
        address = chosen(t.accesses, ZERO)
        read_from = address
        if call is not None and call.loads is not False:
            read_from = ite(and_(self.called, call.loads), call.address, address)
        self.address = address
        return {
            _ADDRESS: address,
            _ACCESSIBLE: substitute(accessible, {_ADDRESS: address}),
            _JUMP: chosen(t.jumps, ZERO),
            LOADED: select(MEMORY, read_from),
        }

    @overload
    def resolved(self, value: Guard) -> Guard: ...
    @overload
    def resolved(self, value: Operand) -> Operand: ...

    def resolved(self, value: Operand) -> Operand:
        """A value with what placeholders stand for; an address never contains a loaded word."""
        return substitute(value, self.known)

    def model(self) -> Model:
        builder, program = self.builder, self.program
        builder.comment(f"{program.source or 'program'}: a machine with 64-bit words")
        builder.comment(
            f"code from {program.code_start:#x}, data from {program.data_start:#x}, "
            f"heap from {program.heap_start:#x}"
        )
        pointer, stack = initial_stack([os.fsencode(program.source or "program")])
        self.declare_registers(pointer)
        self.declare_inputs()
        self.declare_counter()
        self.declare_memory(stack)
        self.control_flow()
        self.data_flow()
        self.bad_states()
        return builder.model

    def state(self, now: Term, first: Operand) -> None:
        self.builder.node(first)
        self.builder.state(now)
        self.builder.init(now, first)

    def declare_registers(self, pointer: int) -> None:
        self.builder.comment("registers")
        for number in range(1, len(REGISTERS)):
            first = symbolic_word(pointer if number == SP else 0)
            self.builder.node(first)
            self.builder.state(UNKNOWN[number], REGISTERS[number])
            self.builder.init(UNKNOWN[number], first)
        self.builder.comment("system calls: the end of the heap, and how much a read has read")
        self.state(PROGRAM_BREAK, symbolic_word(self.program.heap_start))
        self.state(DONE, ZERO)
        if self.transitions.input_ends:
            self.builder.comment("the length of the input, and how much of it was asked for")
            self.builder.state(LENGTH)
            self.builder.next(LENGTH, LENGTH)
            self.state(REQUESTED, ZERO)

    def declare_inputs(self) -> None:
        self.builder.comment("inputs of 1 to 8 bytes")
        for constant in INPUTS:
            self.builder.input(constant)

    def declare_counter(self) -> None:
        self.builder.comment("program counter")
        for address in self.program.instructions:
            self.state(active(address), address == self.program.entry)

    def declare_memory(self, stack: dict[int, int]) -> None:
        self.builder.comment("memory with data and stack")
        program = self.program
        words = dict.fromkeys(range(program.data_start, program.heap_start, SIZE), 0)
        words |= program.initial_words() | stack
        if self.free_memory:
            self.builder.state(FREE_MEMORY)
            self.builder.next(FREE_MEMORY, FREE_MEMORY)
        content = FREE_MEMORY if self.free_memory else const_array(WORDS, ZERO)
        for address, value in words.items():
            if value or self.free_memory:
                content = store(content, symbolic_word(address), symbolic_word(value))
        self.state(MEMORY, content)

    def control_flow(self) -> None:
        self.builder.comment("control flow")
        for address in self.program.instructions:
            conditions = self.transitions.counters.get(address, [])
            self.builder.next(active(address), self.resolved(or_(*conditions)))

    def data_flow(self) -> None:
        self.builder.comment("data flow")
        t, call = self.transitions, self.call
        for number in range(1, len(REGISTERS)):
            old = UNKNOWN[number]
            self.builder.next(old, self.resolved(chosen(t.registers.get(number, []), old)))
        ended: Bits = PROGRAM_BREAK
        done: Bits = DONE
        if call is not None:
            ended = ite(self.called, call.program_break, ended)
            done = ite(self.called, call.done, done)
        self.builder.next(PROGRAM_BREAK, self.resolved(ended))
        self.builder.next(DONE, self.resolved(done))
        if t.input_ends:
            asked = ZERO if call is None else ite(self.called, call.asked, ZERO)
            self.builder.next(REQUESTED, self.resolved(REQUESTED + asked))
        self.builder.next(MEMORY, self.resolved(self.stored()))

    def stored(self) -> ArrayLike:
        """The memory after a step."""
        t, call = self.transitions, self.call
        happens = or_(*(here for here, _ in t.stores))
        place, value = self.address, chosen(t.stores, ZERO)
        if call is not None and call.stores is not False:
            writes = and_(self.called, call.stores)
            happens = or_(happens, writes)
            place = ite(writes, call.place, place)
            value = ite(writes, call.value, value)
        return ite(happens, store(MEMORY, place, value), MEMORY)

    def bad_states(self) -> None:
        self.builder.comment("bad states")
        for number, name in enumerate(PROPERTIES):
            condition = self.resolved(or_(*self.transitions.bads[number]))
            symbol = f"b{number}-{name.replace(' ', '-')}"
            self.builder.bad(condition, symbol)
