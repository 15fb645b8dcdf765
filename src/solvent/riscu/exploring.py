"""Symbolic execution of the machine, with states merged by the program counter.

The states of all paths that stand at one instruction, with one stack pointer, are one state.  The
deepest call goes first, and in it the earliest instruction, so that whoever leaves a loop or a
branch waits for the others.  Each step is the step function at a known instruction: what is known
runs as in the emulator, and only what touches unknown words is run symbolically.  Addresses stay
numbers: one that is not is replaced by the few that it can be, or else hits the whole memory.

Paths are checked for feasibility where a loop goes round or a procedure is called, unless a model
that is known already shows it, and errors where they occur.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from solvent.riscu.answers import is_bad_exit
from solvent.riscu.effects import INPUTS, LOADED, ZERO, Effect, effect_of
from solvent.riscu.faults import EXIT_PROPERTY, AddressAbove, AddressBelow, Exited, Fault
from solvent.riscu.instructions import NUMBER, Instruction
from solvent.riscu.memory import Memory
from solvent.riscu.merging import Key, SymbolicState, merge_states
from solvent.riscu.program import SIZE, UPPER, Program
from solvent.riscu.state import REGISTER_COUNT, SP, Machine, initial_stack
from solvent.riscu.step import EXECUTE
from solvent.riscu.symbolic_memory import SymbolicMemory, choose
from solvent.riscu.system import System
from solvent.riscu.words import WIDTH, Word, leaves, plain, symbolic_word
from solvent.solvers import Solver, Status
from solvent.terms import BitVecTerm, Model, Term, and_, bv, concat, eq, not_, substitute, ule, ult
from solvent.terms.kinds import Bits, Guard
from solvent.verdicts import Deadline, GaveUp

# How many numbers a symbolic address is replaced by.
MOST_ADDRESSES = 256

# These do the same with numbers and terms: Python's own operators.
_ALGEBRAIC = ("addi", "add", "sub", "mul")
_PARAMETERS = [NUMBER[name] for name in ("a0", "a1", "a2", "a3", "a7", "sp")]


class BadStateReached(Exception):
    """A path to a bad state, and a model of the input that takes it."""

    def __init__(self, state: SymbolicState, number: int, model: Model) -> None:
        super().__init__()
        self.state = state
        self.number = number
        self.model = model


class Search:
    """One round: everything that can happen within a number of steps."""

    def __init__(
        self,
        program: Program,
        bound: int,
        bad_exit: int | None,
        free_memory: bool,
        endless: bool,
        solver: Solver,
        deadline: Deadline,
    ) -> None:
        self.program = program
        self.instructions = program.instructions
        self.bound = bound
        self.bad_exit = bad_exit
        self.endless = endless
        self.solver = solver
        self.deadline = deadline
        self.free_memory = free_memory
        # What is known runs here; the parts of a state are put into it before each step.
        self.machine = Machine(program, [], Memory({}), System(None), 0)  # type: ignore[arg-type]
        self.waiting: dict[Key, SymbolicState] = {}
        self.order: list[Key] = []
        self.names = (f"later-byte{number}" for number in count())
        # Whether a state was given up because of the bound.
        self.cut = False
        self.steps = 0

    # --- the order of states -------------------------------------------------------------------

    def run(self) -> None:
        """Explore; what fails is raised."""
        self.push(self.initial())
        while self.order:
            state = self.waiting.pop(heappop(self.order), None)
            if state is not None:
                self.advance(state)

    def initial(self) -> SymbolicState:
        program = self.program
        pointer, stack = initial_stack([os.fsencode(program.source or "program")])
        words: dict[int, Word] = dict.fromkeys(
            range(program.data_start, program.heap_start, SIZE), 0
        )
        registers: list[Word] = [0] * REGISTER_COUNT
        registers[SP] = pointer
        memory = SymbolicMemory(words | program.initial_words() | stack, self.free_memory)
        start = SymbolicState(program.entry, registers, memory, program.heap_start, 0)
        start.model = Model({})
        return start

    def push(self, state: SymbolicState) -> None:
        """Let a state wait, merged with one that waits at the same place."""
        key = state.key
        other = self.waiting.get(key)
        if other is None:
            heappush(self.order, key)
            self.waiting[key] = state
        else:
            self.waiting[key] = merge_states(other, state)

    def advance(self, state: SymbolicState) -> None:
        """Run a state as long as no other should go first."""
        machine = self.machine
        while True:
            if state.steps > self.bound:
                self.cut = True
                return
            self.tick()
            here = state.pc
            instruction = self.instructions.get(here)
            if instruction is None:
                self.fetch_fails(state)
                return
            if not self.is_known(state, instruction):
                for successor in self.symbolically(state, instruction):
                    if self.is_worth(successor, here, instruction):
                        self.push(successor)
                return
            # What runs as in the emulator may carry terms about.
            machine.registers = state.registers  # type: ignore[assignment]
            machine.memory = state.memory  # type: ignore[assignment]
            machine.pc = here
            try:
                EXECUTE[instruction.name](machine, instruction)
            except Fault as fault:
                self.fails(state, True, fault)
                return
            to = instruction.to
            state.registers[to] = plain(state.registers[to])
            state.pc = machine.pc
            state.steps += 1
            if not self.is_worth(state, here, instruction):
                return
            if self.order and state.key >= self.order[0]:
                self.push(state)
                return

    def tick(self) -> None:
        self.steps += 1
        if not self.steps % 256:
            self.deadline.check()

    def is_worth(self, state: SymbolicState, before: int, instruction: Instruction) -> bool:
        """Whether to go on: paths are checked where a loop goes round or a procedure is called."""
        again = state.pc <= before or (instruction.name == "jal" and instruction.rd)
        if state.checked or not again:
            return True
        status = self.ask(*state.path)
        if status is Status.SAT:
            state.model = self.solver.model()
        state.checked = True
        return status is not Status.UNSAT

    def ask(self, *formulas: Guard) -> Status:
        """Whether formulas can hold together."""
        return self.solver.check_for_model(*formulas, timeout=self.deadline.check())

    # --- steps ---------------------------------------------------------------------------------

    def is_known(self, state: SymbolicState, instruction: Instruction) -> bool:
        """Whether an instruction runs as in the emulator."""
        name, registers = instruction.name, state.registers
        if name == "ecall":
            return False
        if name in ("ld", "sd"):
            return isinstance(registers[instruction.rs1], int)
        if name in _ALGEBRAIC:
            return True
        return isinstance(registers[instruction.rs1], int) and isinstance(
            registers[instruction.rs2], int
        )

    def symbolically(
        self, state: SymbolicState, instruction: Instruction
    ) -> Iterator[SymbolicState]:
        """The states after an instruction that touches unknown words."""
        if instruction.name == "jalr":
            yield from self.jump(state, instruction)
            return
        numbers = _PARAMETERS if instruction.name == "ecall" else (instruction.rs1, instruction.rs2)
        known = {number: state.registers[number] for number in numbers}
        requested = None if self.endless else symbolic_word(state.position)
        effect = effect_of(
            self.program,
            state.pc,
            instruction,
            known,
            state.program_break,
            state.done,
            requested,
        )
        for condition, end in effect.faults:
            self.fails(state, condition, end)
        if not state.assume(effect.normal):
            return
        self.apply(state, effect)
        for condition, target in effect.targets:
            successor = state if len(effect.targets) == 1 else state.copy()
            successor.pc = target
            if successor.assume(condition):
                yield successor

    def jump(self, state: SymbolicState, instruction: Instruction) -> Iterator[SymbolicState]:
        """A jump to a register: one state for each number that it can hold."""
        number = instruction.rs1
        rows = self.numbers(state, state.registers[number])
        if rows is None:
            raise self.too_many(state)
        for condition, target in rows:
            successor = state.copy()
            successor.registers[number] = target
            if successor.assume(condition):
                # The next step runs the jump itself, to a known target.
                yield successor

    def apply(self, state: SymbolicState, effect: Effect) -> None:
        """Change a state as an instruction does."""
        known: dict[BitVecTerm, Bits] = {}
        if effect.asked is not ZERO:
            found = state.next_bytes(self.names)
            for number, constant in enumerate(INPUTS):
                low = found[: number + 1]
                known[constant] = concat(*reversed(low)) if number else low[0]
            state.takes(found, plain(effect.asked), plain(effect.taken))
        if effect.loads is not False:
            known[LOADED] = symbolic_word(self.load(state, effect.address))

        def word(value: Word) -> Word:
            return plain(substitute(value, known)) if isinstance(value, Term) else plain(value)

        if effect.stores is not False:
            self.store(state, effect.stores, effect.place, word(effect.value))
        for number, value in effect.registers.items():
            state.registers[number] = word(value)
        state.program_break = word(effect.program_break)
        state.done = word(effect.done)
        state.steps += 1

    def load(self, state: SymbolicState, address: Word) -> Word:
        """The word at an address that may not be known."""
        memory, rows = state.memory, self.numbers(state, address)
        if rows is None:
            if memory.free:
                raise self.too_many(state)
            return memory.gather(address, *self.bounds(state, address))
        result = memory.load(rows[-1][1])
        for condition, number in reversed(rows[:-1]):
            result = choose(condition, memory.load(number), result)
        return result

    def store(self, state: SymbolicState, happens: Guard, address: Word, value: Word) -> None:
        """Put a word at an address that may not be known."""
        memory, rows = state.memory, self.numbers(state, address)
        if rows is None:
            memory.scatter(happens, address, value, *self.bounds(state, address))
            return
        for condition, number in rows:
            test = and_(happens, condition)
            memory.store(
                number, value if test is True else choose(test, value, memory.load(number))
            )

    def bounds(self, state: SymbolicState, address: Word) -> tuple[int, int]:
        """Where an address is: without data or stack if it cannot be there."""
        heap, pointer = self.program.heap_start, state.registers[SP]
        lower, upper = self.program.data_start, UPPER
        if self.ask(*state.path, ult(address, bv(heap, WIDTH))) is Status.UNSAT:
            lower = heap
        if isinstance(pointer, int):
            beyond = ule(bv(pointer, WIDTH), address)
            if self.ask(*state.path, beyond) is Status.UNSAT:
                upper = pointer
        return lower, upper

    def too_many(self, state: SymbolicState) -> GaveUp:
        where = self.program.where(state.pc)
        return GaveUp(f"{where}: an address can be more than {MOST_ADDRESSES} numbers")

    def numbers(self, state: SymbolicState, value: Word) -> list[tuple[Guard, int]] | None:
        """The numbers that a word can be on a path, each with its condition, if not too many."""
        value = plain(value)
        if isinstance(value, int):
            return [(True, value)]
        found = leaves(value, MOST_ADDRESSES)
        if found is not None:
            return found
        rows: list[tuple[Guard, int]] = []
        others: list[Guard] = []
        while (status := self.ask(*state.path, *others)) is Status.SAT:
            number = plain(self.solver.model().evaluate(value))
            rows.append((eq(value, number), number))
            others.append(not_(rows[-1][0]))
            if len(rows) > MOST_ADDRESSES:
                return None
        if status is Status.UNKNOWN:
            raise GaveUp(f"the solver gave up ({self.solver.reason})")
        # On a path that is not feasible any number does.
        return rows or [(True, 0)]

    # --- ends ----------------------------------------------------------------------------------

    def fetch_fails(self, state: SymbolicState) -> None:
        below = state.pc < self.program.code_start
        self.fails(state, True, AddressBelow(state.pc) if below else AddressAbove(state.pc))

    def fails(self, state: SymbolicState, condition: Guard, end: BaseException) -> None:
        """Whether a path ends in a bad state under a condition."""
        if isinstance(end, Exited):
            code, number = plain(end.code), EXIT_PROPERTY
            if isinstance(code, int):
                wrong: Guard = is_bad_exit(code, self.bad_exit)
            else:
                wrong = not_(eq(code, 0)) if self.bad_exit is None else eq(code, self.bad_exit)
            condition = and_(condition, wrong)
        else:
            assert isinstance(end, Fault)
            number = end.number
        if condition is False:
            return
        if state.model is not None and state.model.evaluate(condition) is True:
            raise BadStateReached(state, number, state.model)
        formulas = [*state.path, *([] if condition is True else [condition])]
        status = self.ask(*formulas)
        if status is Status.SAT:
            raise BadStateReached(state, number, self.solver.model())
        if status is Status.UNKNOWN:
            raise GaveUp(f"the solver gave up ({self.solver.reason})")
