"""A stack machine as ordinary Python classes: what the benchmark runs on symbolic programs."""

from __future__ import annotations

from typing import Any

PUSH, POP, ADD, SUB, MUL, DUP, SWAP, NOOP = range(8)


class StackMachine:
    """A machine with a stack of numbers."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.steps = 0

    def push(self, value: Any) -> None:
        """Put a value on the stack."""
        self.stack.append(value)

    def pop(self) -> Any:
        """Take the value from the top of the stack."""
        assert len(self.stack) > 0, "stack underflow"
        return self.stack.pop()

    def step(self, opcode: Any, operand: Any) -> None:
        """Execute one instruction."""
        self.steps += 1
        if opcode == PUSH:
            self.push(operand)
        elif opcode == POP:
            self.pop()
        elif opcode == ADD:
            self.push(self.pop() + self.pop())
        elif opcode == SUB:
            self.push(self.pop() - self.pop())
        elif opcode == MUL:
            self.push(self.pop() * self.pop())
        elif opcode == DUP:
            top = self.pop()
            self.push(top)
            self.push(top)
        elif opcode == SWAP:
            first, second = self.pop(), self.pop()
            self.push(first)
            self.push(second)
        else:
            assert opcode == NOOP, "unknown opcode"


def run(program: list[tuple[Any, Any]]) -> StackMachine:
    """Execute a program from the empty stack."""
    machine = StackMachine()
    for opcode, operand in program:
        machine.step(opcode, operand)
    return machine
