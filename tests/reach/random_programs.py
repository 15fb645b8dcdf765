"""Random Boogie programs over small numbers, and all their executions by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from solvent.reach.program import Assert, Assign, Assume, Call, Havoc, Procedure, Program
from solvent.terms.model import evaluate

# What `havoc` and inputs give, and how deep brute force goes.
DOMAIN = (0, 1, 2)


class _Writer:
    """Writes one random program."""

    def __init__(self, random: Random, procedures: int) -> None:
        self.random = random
        self.names = ["main", *(f"p{number}" for number in range(1, procedures))]

    def program(self) -> str:
        head = "var g: int;\nvar h: int;\n"
        return head + "\n".join(self.procedure(name) for name in self.names)

    def procedure(self, name: str) -> str:
        start = "" if name != "main" else "  g := 0; h := 1;\n"
        body = self.block(2, name, budget=self.random.randint(3, 5))
        return (
            f"procedure {name}(a: int) returns (r: int) modifies g, h;\n{{\n"
            f"  var x: int;\n  var y: int;\n{start}  x := a; y := 0; r := 0;\n{body}}}"
        )

    def block(self, depth: int, name: str, budget: int) -> str:
        pad = "  " * (3 - depth)
        return "".join(f"{pad}{self.statement(depth, name)}\n" for _ in range(budget))

    def statement(self, depth: int, name: str) -> str:
        kinds = ["assign"] * 4 + ["havoc", "assert", "assume", "call", "call"]
        if depth:
            kinds += ["if", "if", "while"]
        return str(getattr(self, f"_{self.random.choice(kinds)}")(depth, name))

    def _assign(self, depth: int, name: str) -> str:
        return f"{self.variable()} := {self.number()};"

    def _havoc(self, depth: int, name: str) -> str:
        variable = self.variable()
        return f"havoc {variable}; assume 0 <= {variable} && {variable} <= {DOMAIN[-1]};"

    def _assert(self, depth: int, name: str) -> str:
        return f"assert {self.condition()};" if self.random.random() < 0.5 else ""

    def _assume(self, depth: int, name: str) -> str:
        return f"assume {self.condition()};" if self.random.random() < 0.3 else ""

    def _call(self, depth: int, name: str) -> str:
        return f"call {self.variable()} := {self.random.choice(self.names[1:])}({self.number()});"

    def _if(self, depth: int, name: str) -> str:
        test = "*" if self.random.random() < 0.3 else self.condition()
        then = self.block(depth - 1, name, self.random.randint(1, 2))
        otherwise = self.block(depth - 1, name, 1)
        return f"if ({test}) {{\n{then}}} else {{\n{otherwise}}}"

    def _while(self, depth: int, name: str) -> str:
        test = "*" if self.random.random() < 0.3 else self.condition()
        leave = f"if ({self.condition()}) {{ break; }}" if self.random.random() < 0.3 else ""
        body = self.block(depth - 1, name, self.random.randint(1, 2))
        return f"while ({test}) {{\n{body}{leave}}}"

    def variable(self) -> str:
        return self.random.choice(["x", "y", "g", "h", "r"])

    def number(self) -> str:
        a, b = self.random.choice(["x", "y", "g", "h", "a", "r"]), self.random.choice(["x", "g"])
        return self.random.choice([a, f"{a} + 1", f"{a} - {b}", "0", "1", "2", f"{a} + {b}"])

    def condition(self) -> str:
        operator = self.random.choice(["==", "!=", "<", "<="])
        return f"{self.variable()} {operator} {self.number()}"


def random_program(seed: int, procedures: int = 3) -> str:
    """The text of a random program."""
    return _Writer(Random(seed), procedures).program()


# --- brute force -------------------------------------------------------------------------------


class TooMany(Exception):
    """There are too many executions."""


@dataclass(slots=True)
class _State:
    globals: dict[Any, Any]


class BruteForce:
    """All executions of a program: so many calls may be open, and each loop goes back so often."""

    def __init__(self, program: Program, calls: int, rounds: int, steps: int = 20_000) -> None:
        self.program = program
        self.calls = calls
        self.rounds = rounds
        self.steps = steps

    def fails(self, main: str) -> bool:
        """Whether an assertion fails in some execution."""
        procedure = self.program.procedure(main)
        for values in product(DOMAIN, repeat=len(procedure.inputs)):
            start = dict.fromkeys(self.program.globals, 0)
            inputs = dict(zip(procedure.inputs, values, strict=True))
            if any(end is None for end in self.run(procedure, inputs, start, 0)):
                return True
        return False

    def run(
        self, procedure: Procedure, inputs: dict[Any, Any], start: dict[Any, Any], depth: int
    ) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]] | None]:
        """All ends: the local and global variables, or None for a failure."""
        local = dict.fromkeys((*procedure.outputs, *procedure.locals), 0) | inputs
        yield from self.block(procedure, procedure.entry, local, start, depth, {})

    def block(
        self,
        procedure: Procedure,
        label: str,
        local: dict[Any, Any],
        world: dict[Any, Any],
        depth: int,
        visits: dict[str, int],
    ) -> Iterator[Any]:
        count = visits.get(label, 0)
        if count > self.rounds:
            return
        visits = {**visits, label: count + 1}
        block = procedure.blocks[label]
        for end in self.commands(block.commands, local, world, depth):
            if end is None:
                yield None
            elif not block.targets:
                yield end
            else:
                for target in block.targets:
                    yield from self.block(procedure, target, *end, depth, visits)

    def commands(
        self, commands: tuple[Any, ...], local: dict[Any, Any], world: dict[Any, Any], depth: int
    ) -> Iterator[Any]:
        self.steps -= 1
        if self.steps < 0:
            raise TooMany
        if not commands:
            yield local, world
            return
        first, *rest = commands
        for end in self.command(first, local, world, depth):
            if end is None:
                yield None
            else:
                yield from self.commands(tuple(rest), *end, depth)

    def command(
        self, command: Any, local: dict[Any, Any], world: dict[Any, Any], depth: int
    ) -> Iterator[Any]:
        both = {**world, **local}
        match command:
            case Assume(condition):
                if evaluate(condition, both):
                    yield local, world
            case Assert(condition):
                yield (local, world) if evaluate(condition, both) else None
            case Assign(targets, values):
                found = [evaluate(value, both) for value in values]
                yield _stored(local, world, zip(targets, found, strict=True))
            case Havoc(variables):
                for values in product(DOMAIN, repeat=len(variables)):
                    yield _stored(local, world, zip(variables, values, strict=True))
            case Call(name, inputs, outputs):
                if depth >= self.calls:
                    return
                callee = self.program.procedure(name)
                given = [evaluate(value, both) for value in inputs]
                arguments = dict(zip(callee.inputs, given, strict=True))
                for end in self.run(callee, arguments, world, depth + 1):
                    if end is None:
                        yield None
                    else:
                        inner, after = end
                        results = [inner[v] for v in callee.outputs]
                        yield _stored(local, after, zip(outputs, results, strict=True))


def _stored(
    local: dict[Any, Any], world: dict[Any, Any], pairs: Any
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    local, world = dict(local), dict(world)
    for variable, value in pairs:
        (world if variable in world else local)[variable] = value
    return local, world
