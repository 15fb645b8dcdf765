"""Random Boogie programs over small numbers, and all their executions by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Call,
    Clause,
    Havoc,
    Procedure,
    Program,
    old_value,
)
from solvent.terms import Bool, constants
from solvent.terms.model import evaluate
from solvent.terms.term import Term

# What `havoc` and inputs give.
DOMAIN = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Shape:
    """What programs may have; in *small* ones all numbers stay below `size`."""

    procedures: int = 3
    loops: bool = True
    recursion: bool = True
    small: bool = False
    size: int = len(DOMAIN)
    # Code expressions with choices and calls, or the statements that they stand for.
    code: bool = False
    written_out: bool = False
    # Contracts that may be wrong, and calls that do not check them.
    contracts: bool = False


ANY_SHAPE = Shape()
# Programs whose procedures have exact contracts that can be written down.
HIERARCHICAL = Shape(3, loops=False, recursion=False, small=True, size=2)


class _Writer:
    """Writes one random program."""

    def __init__(self, random: Random, shape: Shape, contracts: Mapping[str, str]) -> None:
        self.random = random
        self.shape = shape
        self.contracts = contracts
        self.names = ["main", *(f"p{number}" for number in range(1, shape.procedures))]

    def program(self) -> str:
        head = "var g: int;\nvar h: int;\n"
        if self.shape.code:
            head += self.pure()
        return head + "\n".join(self.procedure(name) for name in self.names)

    def pure(self) -> str:
        """Procedures that code expressions may call: one with a body, and one with a contract."""
        first, second, limit = self.pure_number(), self.pure_number(), self.random.randint(1, 2)
        small = f"0 <= r && r < {self.shape.size}"
        return (
            "procedure {:inline 1} compute(a: int) returns (r: int) {\n"
            f"  if (a < {limit}) {{ r := {first}; }} else {{ r := {second}; }}\n}}\n"
            f"procedure pick(a: int) returns (r: int); ensures {small}; "
            f"ensures r {self.random.choice(['<=', '!=', '>='])} {self.pure_number()};\n"
        )

    def pure_number(self) -> str:
        return self.random.choice(["a", "g", "h", "old(g)", "a + g", "h - a", "1", "2"])

    def procedure(self, name: str) -> str:
        start = "" if name != "main" else "  g := 0; h := 1;\n"
        body = self.block(2, name, budget=self.random.randint(3, 5))
        contract = self.contracts.get(name, "") + self.contract()
        return (
            f"procedure {name}(a: int) returns (r: int) modifies g, h;\n{contract}{{\n"
            f"  var x: int;\n  var y: int;\n{self.more_locals()}{start}"
            f"  x := a; y := 0; r := 0;\n{body}}}"
        )

    def contract(self) -> str:
        """Clauses of which some do not hold, and some are believed."""
        if not self.shape.contracts:
            return ""
        first, second = self.random.choice("agh"), self.random.choice(["r", "g", "old(g)", "a"])
        before = f"{first} {self.random.choice(['<', '!=', '>='])} {self.random.randint(-2, 3)}"
        after = self.random.choice(
            [f"r >= {second} - 4", f"g != {second} || h == old(h)", f"h <= {second} + 3"]
        )
        lines = [f"requires {before};", f"ensures {after};", "ensures g == old(g) || g < 5;"]
        free = [self.random.choice(["", "", "free "]) + line for line in lines]
        return "".join(f"  {line}\n" for line in free if self.random.random() < 0.5)

    def more_locals(self) -> str:
        return "  var k: int;\n  var c: bool;\n" if self.shape.written_out else ""

    def block(self, depth: int, name: str, budget: int) -> str:
        pad = "  " * (3 - depth)
        return "".join(f"{pad}{self.statement(depth, name)}\n" for _ in range(budget))

    def statement(self, depth: int, name: str) -> str:
        kinds = ["assign"] * 4 + ["havoc", "assert", "assume", "call", "call"]
        if self.shape.code:
            kinds += ["code"] * 4
        if depth:
            kinds += ["if", "if", "while" if self.shape.loops else "if"]
        return str(getattr(self, f"_{self.random.choice(kinds)}")(depth, name))

    def _assign(self, depth: int, name: str) -> str:
        return f"{self.variable()} := {self.number()};"

    def _havoc(self, depth: int, name: str) -> str:
        variable = self.variable()
        return f"havoc {variable}; assume 0 <= {variable} && {variable} < {self.shape.size};"

    def _assert(self, depth: int, name: str) -> str:
        return f"assert {self.condition()};" if self.random.random() < 0.5 else ""

    def _assume(self, depth: int, name: str) -> str:
        return f"assume {self.condition()};" if self.random.random() < 0.3 else ""

    def _call(self, depth: int, name: str) -> str:
        below = 1 if self.shape.recursion else self.names.index(name) + 1
        if not self.names[below:]:
            return ""
        variable = self.variable()
        free = self.shape.contracts and self.random.random() < 0.1
        word = "free call" if free else "call"
        return f"{word} {variable} := {self.random.choice(self.names[below:])}({self.number()});"

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

    def _code(self, depth: int, name: str) -> str:
        """A code expression somewhere, or the same in statements."""
        body = self.code_body()
        code = f"|{{ var k: int; var c: bool; {body} return c; }}|"
        x, number = self.variable(), self.number()
        # Other code around it, which may have no execution at all.
        test = self.condition()
        forms = {
            f"assert {code};": f"if (*) {{ {body} assert c; assume false; }}",
            f"assert !{code};": f"if (*) {{ {body} assert !c; assume false; }}",
            f"assume {code};": f"{body} assume c;",
            f"{x} := if {code} then {number} else 1;": (
                f"{body} if (c) {{ {x} := {number}; }} else {{ {x} := 1; }}"
            ),
            f"assume ({code} == ({test}));": f"{body} assume (c == ({test}));",
            f"assert {test} ==> {code};": (
                f"if (*) {{ if ({test}) {{ {body} assert c; }} assume false; }}"
            ),
            f"if ({code}) {{ {x} := 0; }} else {{ {x} := {number}; }}": (
                f"{body} if (c) {{ {x} := 0; }} else {{ {x} := {number}; }}"
            ),
            f"assume {test} || {code};": f"if (!({test})) {{ {body} assume c; }}",
            f"assume ({code} || {test}) <==> (({test}) && {code});": (
                f"if ({test}) {{ {body} assume c; }} else {{ {body} assume !c; }}"
            ),
        }
        form = self.random.choice(list(forms))
        return forms[form] if self.shape.written_out else form

    def code_body(self) -> str:
        """Statements that give any value to `k`, and then one to `c`."""
        size = self.shape.size
        first = self.random.choice(
            [
                f"havoc k; assume 0 <= k && k < {size};",
                f"call k := compute({self.number()});",
                f"call k := pick({self.number()});",
                f"if (*) {{ k := {self.number()}; }} else {{ k := {self.number()}; }}",
                f"if ({self.condition()}) {{ call k := pick(1); }} else {{ k := 0; }}",
                f"k := {self.number()}; assume k {self.random.choice(['<', '!='])} g;",
            ]
        )
        operator = self.random.choice(["==", "!=", "<", "<="])
        return f"{first} c := k {operator} {self.number()};"

    def variable(self) -> str:
        return self.random.choice(["x", "y", "g", "h", "r"])

    def number(self) -> str:
        a, b = self.random.choice(["x", "y", "g", "h", "a", "r"]), self.random.choice(["x", "g"])
        found = self.random.choice([a, f"{a} + 1", f"{a} - {b}", "0", "1", "2", f"{a} + {b}"])
        if self.shape.small and found != a:
            return f"({found}) mod {self.shape.size}"
        return found

    def condition(self) -> str:
        operator = self.random.choice(["==", "!=", "<", "<="])
        return f"{self.variable()} {operator} {self.number()}"


def random_program(
    seed: int, shape: Shape = ANY_SHAPE, contracts: Mapping[str, str] | None = None
) -> str:
    """The text of a random program; `contracts` are what its procedures require and ensure."""
    return _Writer(Random(seed), shape, contracts or {}).program()


# --- brute force -------------------------------------------------------------------------------


class TooMany(Exception):
    """There are too many executions."""


@dataclass(slots=True)
class _State:
    globals: dict[Any, Any]


class BruteForce:
    """All executions of a program: so many calls may be open, and each loop goes back so often."""

    def __init__(
        self,
        program: Program,
        calls: int,
        rounds: int,
        domain: Sequence[int] = DOMAIN,
        steps: int = 20_000,
    ) -> None:
        self.program = program
        self.domain = domain
        self.calls = calls
        self.rounds = rounds
        self.steps = steps
        self.used: dict[Any, list[Any]] = {}
        self.values: dict[Any, Any] = {}

    def value(self, term: Any, known: dict[Any, Any]) -> Any:
        """The value of a term; most are asked for many times."""
        if not isinstance(term, Term):
            return term
        if term not in self.used:
            self.used[term] = constants(term)
        key = (term, *(known[one] for one in self.used[term]))
        if key not in self.values:
            self.values[key] = evaluate(term, known)
        return self.values[key]

    def values_of(self, variable: Any) -> Sequence[Any]:
        """What `havoc` may give to a variable."""
        return (False, True) if variable.sort is Bool else self.domain

    def fails(self, main: str) -> bool:
        """Whether an assertion fails in some execution."""
        procedure = self.program.procedure(main)
        for values in product(self.domain, repeat=len(procedure.inputs)):
            start = dict.fromkeys(self.program.globals, 0)
            inputs = dict(zip(procedure.inputs, values, strict=True))
            if not all(self.value(one.condition, start | inputs) for one in procedure.requires):
                continue
            if any(end is None for end in self.run(procedure, inputs, start, 0)):
                return True
        return False

    def run(
        self, procedure: Procedure, inputs: dict[Any, Any], start: dict[Any, Any], depth: int
    ) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]] | None]:
        """All ends: the local and global variables, or None for a failure."""
        own = (*procedure.outputs, *procedure.locals)
        local = {variable: self.values_of(variable)[0] for variable in own} | inputs
        local |= {old_value(variable): value for variable, value in start.items()}
        for end in self.block(procedure, procedure.entry, local, start, depth, {}):
            known = None if end is None else {**end[1], **end[0]}
            met = known is None or self.contract_at(procedure.ensures, known)
            if met is not None:
                yield end if met else None

    def contract_at(self, clauses: Sequence[Clause], known: dict[Any, Any]) -> bool | None:
        """Whether a contract holds; None if only what is believed does not."""
        wrong = [clause for clause in clauses if not self.value(clause.condition, known)]
        if any(not clause.free for clause in wrong):
            return False
        return None if wrong else True

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
                if self.value(condition, both):
                    yield local, world
            case Assert(condition):
                yield (local, world) if self.value(condition, both) else None
            case Assign(targets, values):
                found = [self.value(value, both) for value in values]
                yield _stored(local, world, zip(targets, found, strict=True))
            case Havoc(variables):
                for values in product(*map(self.values_of, variables)):
                    yield _stored(local, world, zip(variables, values, strict=True))
            case Call(name, inputs, outputs):
                callee = self.program.procedure(name)
                given = [self.value(value, both) for value in inputs]
                arguments = dict(zip(callee.inputs, given, strict=True))
                required = () if command.free else callee.requires
                met = self.contract_at(required, world | arguments)
                if met is False:
                    yield None
                if not met or depth >= self.calls:
                    return
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


# --- exact contracts ---------------------------------------------------------------------------

# The input and both global variables before a procedure, or its output and they after it.
Point = tuple[int, int, int]


class Relations(BruteForce):
    """What each procedure of a small program without recursion does, computed once."""

    def __init__(self, program: Program, size: int) -> None:
        super().__init__(program, len(program.procedures), 1, range(size), steps=10**6)
        self.g, self.h = program.globals
        # For each procedure and point the points after it, or None if an assertion may fail.
        self.known: dict[str, dict[Point, set[Point] | None]] = {}
        for name in reversed(program.procedures):
            points = product(self.domain, repeat=3)
            self.known[name] = {point: self.after(name, point) for point in points}

    def after(self, name: str, point: Point) -> set[Point] | None:
        """Run a procedure from a point on, in all ways."""
        procedure = self.program.procedure(name)
        found = set()
        inputs, world = {procedure.inputs[0]: point[0]}, {self.g: point[1], self.h: point[2]}
        for end in self.run(procedure, inputs, world, 0):
            if end is None:
                return None
            local, after = end
            found.add((local[procedure.outputs[0]], after[self.g], after[self.h]))
        return found

    def command(
        self, command: Any, local: dict[Any, Any], world: dict[Any, Any], depth: int
    ) -> Iterator[Any]:
        if not isinstance(command, Call):
            yield from super().command(command, local, world, depth)
            return
        (given,) = (self.value(value, {**world, **local}) for value in command.inputs)
        ends = self.known[command.procedure][given, world[self.g], world[self.h]]
        if ends is None:
            yield None
            return
        for result, g, h in sorted(ends):
            after = {self.g: g, self.h: h}
            yield _stored(local, after, zip(command.outputs, [result], strict=True))

    def fails(self, main: str) -> bool:
        """Whether an assertion fails in some execution; the first procedure sets g and h."""
        return any(ends is None for ends in self.known[main].values())

    def contracts(self) -> dict[str, str]:
        """The weakest preconditions and strongest postconditions of all procedures."""
        found = {name: self.contract(name) for name in self.known}
        found["main"] = f"  requires 0 <= a && a < {len(self.domain)};\n"
        return found

    def contract(self, name: str) -> str:
        """The exact contract of a procedure."""
        size = len(self.domain)
        inside = [" && ".join(f"0 <= {v} && {v} < {size}" for v in (x, "g", "h")) for x in "ar"]
        lines = [f"requires {inside[0]};", f"ensures {inside[1]};"]
        for point, ends in self.known[name].items():
            if ends is None:
                lines.append(f"requires !({_is(point, 'a', 'g', 'h')});")
            else:
                outputs = " || ".join(f"({_is(end, 'r', 'g', 'h')})" for end in sorted(ends))
                inputs = _is(point, "a", "old(g)", "old(h)")
                lines.append(f"ensures {inputs} ==> {outputs or 'false'};")
        return "".join(f"  {line}\n" for line in lines)


def _is(point: Point, *variables: str) -> str:
    return " && ".join(f"{v} == {number}" for v, number in zip(variables, point, strict=True))
