"""The rules of the instructions: correct ones, and those with the flaws of the literature.

The machines are those of Hritcu et al., "Testing noninterference, quickly", in which each wrong
rule is told by a counterexample: a pair of programs that differ in secrets only and end in
memories that anybody can tell apart.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.languages.ifcl.machine import (
    LOW,
    Instruction,
    Memory,
    Number,
    Operation,
    Return,
    Rule,
    Stack,
    State,
    Stuck,
    Value,
)
from solvent.lift import for_all
from solvent.terms.kinds import Guard


def following(state: State) -> Value:
    """The program counter after an instruction that does not jump."""
    return Value(state.pc.number + 1, state.pc.label)


def value(found: Value | Return) -> Value:
    """Something from the stack that must be a value."""
    if isinstance(found, Return):
        raise Stuck("there is a return address where a value is needed")
    return found


def written(memory: Memory, address: Number, new: Value) -> Memory:
    """The memory after something was stored at an address that exists."""
    return tuple([new if address == cell else old for cell, old in enumerate(memory)])


# --- the stack ---------------------------------------------------------------------------------


def noop(state: State, instruction: Instruction) -> State:
    return State(following(state), state.stack, state.memory)


def push(state: State, instruction: Instruction) -> State:
    return State(following(state), (*state.stack, instruction.value), state.memory)


def pop(state: State, instruction: Instruction) -> State:
    """Correct as long as there are no return addresses on the stack."""
    state.stack[-1]
    return State(following(state), state.stack[:-1], state.memory)


def pop_value(state: State, instruction: Instruction) -> State:
    value(state.stack[-1])
    return State(following(state), state.stack[:-1], state.memory)


def add(state: State, instruction: Instruction) -> State:
    stack = state.stack
    x, y = value(stack[-1]), value(stack[-2])
    total = Value(x.number + y.number, x.label or y.label)
    return State(following(state), (*stack[:-2], total), state.memory)


def add_public(state: State, instruction: Instruction) -> State:
    """Wrong: the sum of secrets is public."""
    stack = state.stack
    x, y = value(stack[-1]), value(stack[-2])
    return State(following(state), (*stack[:-2], Value(x.number + y.number, LOW)), state.memory)


# --- the memory --------------------------------------------------------------------------------


def load(state: State, instruction: Instruction) -> State:
    stack = state.stack
    address = value(stack[-1])
    found = state.memory[address.number]
    loaded = Value(found.number, found.label or address.label)
    return State(following(state), (*stack[:-1], loaded), state.memory)


def load_ignoring_address(state: State, instruction: Instruction) -> State:
    """Wrong: which cell was read tells the secret address."""
    stack = state.stack
    address = value(stack[-1])
    return State(following(state), (*stack[:-1], state.memory[address.number]), state.memory)


def _stores(
    label: Callable[[Guard, Guard, Guard], Guard], allowed: Callable[[Guard, Guard, Guard], Guard]
) -> Rule:
    """A rule that stores with a label, if that is allowed by the labels of what is there."""

    def store(state: State, instruction: Instruction) -> State:
        stack = state.stack
        address, found = value(stack[-1]), value(stack[-2])
        old = state.memory[address.number]
        if not allowed(address.label, state.pc.label, old.label):
            raise Stuck("a public cell must not become secret where a secret decides it")
        new = Value(found.number, label(address.label, found.label, state.pc.label))
        return State(following(state), stack[:-2], written(state.memory, address.number, new))

    return store


# Wrong: which cell was written tells the secret address.
store_ignoring_address = _stores(lambda a, v, pc: v, lambda a, pc, old: True)
# Wrong: that the other cell is still public tells it too.
store_upgrading = _stores(lambda a, v, pc: a or v, lambda a, pc, old: True)
# Correct as long as the program counter is public.
store = _stores(lambda a, v, pc: a or v, lambda a, pc, old: old or not a)
store_in_context = _stores(lambda a, v, pc: a or v or pc, lambda a, pc, old: old or not (a or pc))


# --- control flow ------------------------------------------------------------------------------


def jump(state: State, instruction: Instruction) -> State:
    target = value(state.stack[-1])
    pc = Value(target.number, target.label or state.pc.label)
    return State(pc, state.stack[:-1], state.memory)


def jump_public(state: State, instruction: Instruction) -> State:
    """Wrong: after a jump to a secret address what happens is public."""
    target = value(state.stack[-1])
    return State(Value(target.number, LOW), state.stack[:-1], state.memory)


def jump_forgetting(state: State, instruction: Instruction) -> State:
    """Wrong: a jump to a public address makes a secret program counter public again."""
    return State(value(state.stack[-1]), state.stack[:-1], state.memory)


def call(state: State, instruction: Instruction) -> State:
    return _called(state, instruction, instruction.result)


def call_without_result(state: State, instruction: Instruction) -> State:
    """Wrong together with the following: whether there is a result is decided by the callee."""
    return _called(state, instruction, False)


def _called(state: State, instruction: Instruction, result: Guard) -> State:
    target = value(state.stack[-1])
    address = Return(following(state), result)
    stack = inserted(state.stack[:-1], instruction.count, address)
    return State(Value(target.number, target.label or state.pc.label), stack, state.memory)


def inserted(stack: Stack, depth: Number, new: Return) -> Stack:
    """The stack with something put below as many values as `depth` says."""

    def below(found: Stack) -> Stack:
        for height in range(len(found), -1, -1):
            if depth == len(found) - height:
                return (*found[:height], new, *found[height:])
        raise Stuck("there are fewer arguments on the stack than the call passes")

    result: Stack = for_all(stack, below)
    return result


def unwound(stack: Stack) -> tuple[Return, Stack]:
    """The return address that is nearest to the top, and the stack below it."""

    def below(found: Stack) -> tuple[Value | Return, Stack]:
        for height in range(len(found) - 1, -1, -1):
            if isinstance(found[height], Return):
                return found[height], found[:height]
        raise Stuck("there is no return address on the stack")

    result: tuple[Return, Stack] = for_all(stack, below)
    return result


def return_as_called(state: State, instruction: Instruction) -> State:
    top = state.stack[-1]
    address, stack = unwound(state.stack)
    if address.result:
        found = value(top)
        stack = (*stack, Value(found.number, found.label or state.pc.label))
    return State(address.pc, stack, state.memory)


def return_as_told(state: State, instruction: Instruction) -> State:
    """Wrong: the result keeps its label, and whether there is one tells which callee ran."""
    top = state.stack[-1]
    address, stack = unwound(state.stack)
    if instruction.result:
        stack = (*stack, top)
    return State(address.pc, stack, state.memory)


def return_labelled_as_told(state: State, instruction: Instruction) -> State:
    """Wrong: whether there is a result tells which callee ran."""
    top = state.stack[-1]
    address, stack = unwound(state.stack)
    if instruction.result:
        stack = (*stack, Value(value(top).number, state.pc.label))
    return State(address.pc, stack, state.memory)


# --- the operations ----------------------------------------------------------------------------

NOOP = Operation("Noop", noop)
PUSH = Operation("Push", push, ("value",))
POP = Operation("Pop", pop)
POP_VALUE = Operation("Pop", pop_value)
ADD = Operation("Add", add)
ADD_PUBLIC = Operation("Add", add_public)
LOAD = Operation("Load", load)
LOAD_IGNORING_ADDRESS = Operation("Load", load_ignoring_address)
STORE_IGNORING_ADDRESS = Operation("Store", store_ignoring_address)
STORE_UPGRADING = Operation("Store", store_upgrading)
STORE = Operation("Store", store)
STORE_IN_CONTEXT = Operation("Store", store_in_context)
JUMP_PUBLIC = Operation("Jump", jump_public)
JUMP_FORGETTING = Operation("Jump", jump_forgetting)
JUMP = Operation("Jump", jump)
CALL_WITHOUT_RESULT = Operation("Call", call_without_result, ("count",))
CALL = Operation("Call", call, ("count", "result"))
RETURN_AS_TOLD = Operation("Return", return_as_told, ("result",))
RETURN_LABELLED_AS_TOLD = Operation("Return", return_labelled_as_told, ("result",))
RETURN = Operation("Return", return_as_called)
