"""The machines as the paper's own program has them: the rows "same program" of table 4.

What is done here and not in `noninterference`: an instruction is a choice between rules, each with
operands of its own; the second program has new operands throughout, which are assumed to look like
those of the first; operands of calls and returns are values, whose labels and ranges the rules
assert; a machine has its program in its state, and final states are compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solvent import BitVec, Bool, lifted, solve
from solvent.languages.ifcl import rules
from solvent.languages.ifcl.machine import (
    CELLS,
    LOW,
    WIDTH,
    ZERO,
    Machine,
    Memory,
    Return,
    Stack,
    Value,
    number,
)
from solvent.languages.ifcl.rules import inserted, unwound, value, written
from solvent.lift import assume, for_all
from solvent.queries.results import Solution
from solvent.terms.kinds import Guard


class Step(NamedTuple):
    """An instruction: a rule, which may be one of several, and its operands."""

    rule: Callable[..., State]
    operands: tuple[Value, ...]


class State(NamedTuple):
    """A machine: the program counter, the stack (its top comes last), the memory, the program."""

    pc: Value
    stack: Stack
    memory: Memory
    program: tuple[Step, ...]


def start(program: tuple[Step, ...]) -> State:
    """The state in which a program begins.

    >>> start(())
    State(pc=0@L, stack=(), memory=(0@L, 0@L), program=())
    """
    return State(ZERO, (), (ZERO,) * CELLS, program)


def _moved(state: State, stack: Stack, memory: Memory | None = None) -> State:
    """The state after an instruction that goes on with the next."""
    pc = Value(state.pc.number + 1, state.pc.label)
    return State(pc, stack, state.memory if memory is None else memory, state.program)


# --- rules ---------------------------------------------------------------------------------------


def halt(state: State) -> State:
    end = Value(number(len(state.program)), state.pc.label)
    return State(end, state.stack, state.memory, state.program)


def noop(state: State) -> State:
    return _moved(state, state.stack)


def push(state: State, operand: Value) -> State:
    return _moved(state, (*state.stack, operand))


def pop(state: State) -> State:
    state.stack[-1]
    return _moved(state, state.stack[:-1])


def pop_value(state: State) -> State:
    value(state.stack[-1])
    return _moved(state, state.stack[:-1])


def add(state: State) -> State:
    x, y = value(state.stack[-1]), value(state.stack[-2])
    return _moved(state, (*state.stack[:-2], Value(x.number + y.number, x.label or y.label)))


def add_public(state: State) -> State:
    x, y = value(state.stack[-1]), value(state.stack[-2])
    return _moved(state, (*state.stack[:-2], Value(x.number + y.number, LOW)))


def load(state: State) -> State:
    address = value(state.stack[-1])
    found = state.memory[address.number]
    return _moved(
        state, (*state.stack[:-1], Value(found.number, address.label or found.label))
    )  # fmt: skip


def load_ignoring_address(state: State) -> State:
    address = value(state.stack[-1])
    return _moved(state, (*state.stack[:-1], state.memory[address.number]))


def _stored(state: State, address: Value, new: Value) -> State:
    # An address that does not exist is an error, as that of an item of a list.
    state.memory[address.number]
    return _moved(state, state.stack[:-2], written(state.memory, address.number, new))


def store_ignoring_address(state: State) -> State:
    address, found = value(state.stack[-1]), state.stack[-2]
    return _stored(state, address, value(found))


def store_upgrading(state: State) -> State:
    address, found = value(state.stack[-1]), value(state.stack[-2])
    return _stored(state, address, Value(found.number, address.label or found.label))


def store(state: State) -> State:
    address, found = value(state.stack[-1]), value(state.stack[-2])
    old = state.memory[address.number]
    assert old.label or not address.label, "no sensitive upgrade"
    return _stored(state, address, Value(found.number, address.label or found.label))


def store_in_context(state: State) -> State:
    address, found = value(state.stack[-1]), value(state.stack[-2])
    old, context = state.memory[address.number], state.pc.label
    assert old.label or not (context or address.label), "no sensitive upgrade"
    label = address.label or found.label or context
    return _stored(state, address, Value(found.number, label))


def jump(state: State) -> State:
    target = value(state.stack[-1])
    pc = Value(target.number, target.label or state.pc.label)
    return State(pc, state.stack[:-1], state.memory, state.program)


def jump_public(state: State) -> State:
    target = value(state.stack[-1])
    return State(Value(target.number, LOW), state.stack[:-1], state.memory, state.program)


def jump_forgetting(state: State) -> State:
    return State(value(state.stack[-1]), state.stack[:-1], state.memory, state.program)


def _called(state: State, count: Value, result: Value) -> State:
    assert not count.label, "the number of arguments is public"
    target = value(state.stack[-1])
    address = Return(Value(state.pc.number + 1, state.pc.label), result)  # type: ignore[arg-type]
    stack = inserted(state.stack[:-1], count.number, address)
    pc = Value(target.number, target.label or state.pc.label)
    return State(pc, stack, state.memory, state.program)


def call_without_result(state: State, count: Value) -> State:
    return _called(state, count, ZERO)


def call(state: State, count: Value, result: Value) -> State:
    assert not result.label, "the number of results is public"
    assert result.number == 0 or result.number == 1, "there are no results, or one"
    return _called(state, count, result)


def _returned(state: State, stack: Stack, address: Return) -> State:
    return State(address.pc, stack, state.memory, state.program)


def return_as_told(state: State, result: Value) -> State:
    top = state.stack[-1]
    address, stack = unwound(state.stack)
    assert not result.label, "the number of results is public"
    assert result.number == 0 or result.number == 1, "there are no results, or one"
    if result.number == 0:
        return _returned(state, stack, address)
    return _returned(state, (*stack, top), address)


def return_labelled_as_told(state: State, result: Value) -> State:
    top = value(state.stack[-1])
    address, stack = unwound(state.stack)
    assert not result.label, "the number of results is public"
    assert result.number == 0 or result.number == 1, "there are no results, or one"
    if result.number == 0:
        return _returned(state, stack, address)
    return _returned(state, (*stack, Value(top.number, state.pc.label)), address)


def return_as_called(state: State) -> State:
    top = value(state.stack[-1])
    address, stack = unwound(state.stack)
    result: Value = address.result  # type: ignore[assignment]
    if result.number == 0:
        return _returned(state, stack, address)
    return _returned(state, (*stack, Value(top.number, top.label or state.pc.label)), address)


# --- machines ------------------------------------------------------------------------------------

# Rules of the other formulation, and how many operands theirs have here.
RULES: dict[object, tuple[Callable[..., State], int]] = {
    rules.noop: (noop, 0),
    rules.push: (push, 1),
    rules.pop: (pop, 0),
    rules.pop_value: (pop_value, 0),
    rules.add: (add, 0),
    rules.add_public: (add_public, 0),
    rules.load: (load, 0),
    rules.load_ignoring_address: (load_ignoring_address, 0),
    rules.store_ignoring_address: (store_ignoring_address, 0),
    rules.store_upgrading: (store_upgrading, 0),
    rules.store: (store, 0),
    rules.store_in_context: (store_in_context, 0),
    rules.jump: (jump, 0),
    rules.jump_public: (jump_public, 0),
    rules.jump_forgetting: (jump_forgetting, 0),
    rules.call_without_result: (call_without_result, 1),
    rules.call: (call, 2),
    rules.return_as_told: (return_as_told, 1),
    rules.return_labelled_as_told: (return_labelled_as_told, 1),
    rules.return_as_called: (return_as_called, 0),
}


def operations(machine: Machine) -> list[tuple[Callable[..., State], int]]:
    """The rules of a machine with the numbers of their operands, `halt` first.

    >>> from solvent.languages.ifcl.machines import MACHINES
    >>> [rule.__name__ for rule, _ in operations(MACHINES["J2"])][-2:]
    ['store', 'jump_forgetting']
    """
    return [(halt, 0), *(RULES[found.rule] for found in machine.operations)]


# --- programs ------------------------------------------------------------------------------------

# For each place, which rule it is (one constant less than rules), and for each rule its operands.
Choices = Sequence[Sequence[Guard]]
Operands = Sequence[Sequence[tuple[Value, ...]]]


def _operand(name: str) -> Value:
    return Value(BitVec(f"{name}.number", WIDTH), Bool(f"{name}.label"))


def symbolic(machine: Machine, length: int) -> tuple[Choices, Operands, Operands]:
    """The rules of two programs, which are the same, and the operands of each."""
    found = operations(machine)
    choices = [[Bool(f"rule{place}.{number}") for number in range(len(found) - 1)]
               for place in range(length)]  # fmt: skip
    sides = [
        [
            [
                tuple([_operand(f"{side}{place}.{rule.__name__}.{number}") for number in range(n)])
                for rule, n in found
            ]
            for place in range(length)
        ]
        for side in ("first", "second")
    ]
    return choices, sides[0], sides[1]


@lifted
def assembled(
    machine: Machine, choices: Choices, first: Operands, second: Operands
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Two programs with the same rules, each with operands of its own.

    >>> from solvent.languages.ifcl.machines import MACHINES
    >>> b1 = MACHINES["B1"]
    >>> which = [[False, False, True, False, False, False]]
    >>> programs = assembled(b1, which, [[(Value(3, True),)] * 7], [[(Value(4, True),)] * 7])
    >>> [(step.rule.__name__, step.operands) for (step,) in programs]
    [('push', (3@H,)), ('push', (4@H,))]
    """
    found = operations(machine)
    one, other = [], []
    for place, which in enumerate(choices):
        rule, a, b = _chosen(found, which, first[place], second[place])
        one.append(Step(rule, a))
        other.append(Step(rule, b))
    return tuple(one), tuple(other)


@lifted
def _chosen(
    found: Sequence[tuple[Callable[..., State], int]],
    which: Sequence[Guard],
    first: Sequence[tuple[Value, ...]],
    second: Sequence[tuple[Value, ...]],
) -> tuple[Callable[..., State], tuple[Value, ...], tuple[Value, ...]]:
    """The rule that is picked, with the operands of both programs."""
    for at, picked in enumerate(which):
        if picked:
            return found[at][0], first[at], second[at]
    return found[-1][0], first[-1], second[-1]


# --- running -------------------------------------------------------------------------------------


def run(state: State, steps: int) -> State:
    """Run a machine for so many steps, or until it halts."""
    for _ in range(steps):
        if state.pc.number == len(state.program):
            return state
        step = state.program[state.pc.number]
        state = step.rule(state, *step.operands)
    return state


def has_ended(machine: Machine, state: State) -> Guard:
    """Whether a machine has halted, in a public state if it must."""
    halted: Guard = state.pc.number == len(state.program)
    return halted and not (machine.low_end and state.pc.label)


# --- who can tell what apart ---------------------------------------------------------------------


def same_values(a: Value, b: Value) -> Guard:
    """Whether two values have the same label, and the same number unless that is secret."""
    return a.label == b.label and (a.label or a.number == b.number)


def all_same(a: Sequence[Value], b: Sequence[Value]) -> Guard:
    """Whether values look alike, one by one; where there may be more or fewer, for each number."""
    return for_all(a, lambda some: for_all(b, lambda others: _all_same(some, others)))  # type: ignore[no-any-return]


def _all_same(a: Sequence[Value], b: Sequence[Value]) -> Guard:
    same: Guard = len(a) == len(b)
    if same:
        for x, y in zip(a, b, strict=True):
            same = same and same_values(x, y)
    return same


def same_programs(a: tuple[Step, ...], b: tuple[Step, ...]) -> Guard:
    """Whether two programs have the same rules and operands that look alike."""
    same: Guard = True
    for x, y in zip(a, b, strict=True):
        same = same and x.rule is y.rule and all_same(x.operands, y.operands)
    return same


def same_states(a: State, b: State) -> Guard:
    """Whether two machines look alike: both secret, or the same programs and memories."""
    return a.pc.label == b.pc.label and (
        a.pc.label or (same_programs(a.program, b.program) and all_same(a.memory, b.memory))
    )


def tell_apart(
    machine: Machine, choices: Choices, first: Operands, second: Operands, steps: int
) -> tuple[State, State]:
    """Run two programs that look alike to their ends, where they must not."""
    one, other = assembled(machine, choices, first, second)
    a, b = start(one), start(other)
    assume(same_states(a, b))
    a, b = run(a, steps), run(b, steps)
    assert has_ended(machine, a), "the first has not halted"
    assert has_ended(machine, b), "the second has not halted"
    assert not same_states(a, b), "the final states look alike"
    return a, b


def find_leak(
    machine: Machine, steps: int, *, solver: str | None = None, timeout: float | None = None
) -> Solution:
    """Two programs that look alike and end in states that do not, if there are any.

    >>> from solvent.languages.ifcl.machines import MACHINES
    >>> print(find_leak(MACHINES["basic"], 2).status)
    unsat
    """
    choices, first, second = symbolic(machine, steps)
    return solve(
        tell_apart, machine, choices, first, second, steps,
        solver=solver, timeout=timeout,
    )  # fmt: skip
