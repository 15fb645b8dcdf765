"""Small random models, and what brute force says about them."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from solvent.btor2 import Evaluator, Model, parse
from solvent.btor2.guards import AsBuilt
from solvent.btor2.memory import Memory
from solvent.btor2.operators import OPERATORS
from solvent.btor2.simulate import Simulator, value_of
from solvent.terms.sorts import ArraySort

WORDS = [name for name, op in OPERATORS.items() if op.shape == "same"]
TESTS = [name for name, op in OPERATORS.items() if op.shape in ("comparison", "equality")]
RARE = ("mul", "sdiv", "udiv", "smod", "srem", "urem", "rol", "ror", "smulo", "umulo")


class Writer:
    """Writes the lines of one random model."""

    def __init__(self, seed: int | random.Random, arrays: bool, sparse: bool) -> None:
        self.random = random.Random(seed) if isinstance(seed, int) else seed
        self.width = width = 2 if arrays else 3
        self.lines: list[str] = []
        self.sparse = sparse
        self.last = 0
        self.bit, self.word = self.line("sort bitvec 1"), self.line(f"sort bitvec {width}")
        self.pools: dict[int, list[int]] = {self.bit: [], self.word: []}
        self.array = 0
        # The states that are words.
        self.words: list[int] = []
        if arrays:
            self.array = self.line(f"sort array {self.word} {self.word}")
            self.pools[self.array] = []

    def line(self, text: str) -> int:
        step = self.random.randint(1, 80_000_000 // 10) if self.sparse else 1
        self.last += step
        self.lines.append(f"{self.last} {text}")
        return self.last

    def node(self, sort: int, text: str) -> int:
        number = self.line(text)
        self.pools[sort].append(number)
        return number

    def pick(self, sort: int) -> int:
        number = self.random.choice(self.pools[sort])
        negated = sort != self.array and self.random.random() < 0.2
        return -number if negated else number

    def operator(self, names: list[str]) -> str:
        name = self.random.choice(names)
        return self.random.choice(names) if name in RARE else name

    def expression(self) -> None:
        """One more node."""
        bit, word, array = self.bit, self.word, self.array
        kinds = ["word", "word", "word", "test", "test", "bool", "bool", "choice"]
        kinds += ["reduce", "slice", "extend"]
        kind = self.random.choice([*kinds, "read", "write", "arrays"] if array else kinds)
        pick, node = self.pick, self.node
        match kind:
            case "word":
                name = self.operator(WORDS)
                args = " ".join(str(pick(word)) for _ in range(OPERATORS[name].arity))
                node(word, f"{name} {word} {args}")
            case "test":
                node(bit, f"{self.operator(TESTS)} {bit} {pick(word)} {pick(word)}")
            case "bool":
                name = self.random.choice(["and", "or", "xor", "iff", "implies", "nand", "add"])
                node(bit, f"{name} {bit} {pick(bit)} {pick(bit)}")
            case "choice":
                sort = self.random.choice(list(self.pools))
                node(sort, f"ite {sort} {pick(bit)} {pick(sort)} {pick(sort)}")
            case "reduce":
                name = self.random.choice(["redand", "redor", "redxor"])
                node(bit, f"{name} {bit} {pick(word)}")
            case "slice":
                place = self.random.randrange(self.width)
                node(bit, f"slice {bit} {pick(word)} {place} {place}")
            case "extend":
                name = self.random.choice(["uext", "sext"])
                if self.random.random() < 0.5 or self.width > 2:
                    node(word, f"{name} {word} {pick(bit)} {self.width - 1}")
                else:
                    node(word, f"concat {word} {pick(bit)} {pick(bit)}")
            case "read":
                node(word, f"read {word} {pick(array)} {pick(word)}")
            case "write":
                node(array, f"write {array} {pick(array)} {pick(word)} {pick(word)}")
            case "arrays":
                node(bit, f"eq {bit} {pick(array)} {pick(array)}")


def random_text(
    seed: int | random.Random, arrays: bool = False, sparse: bool = False, justice: bool = False
) -> str:
    """The text of a model with few bits of states and inputs."""
    writer = Writer(seed, arrays, sparse)
    chance = writer.random.random
    bit, word = writer.bit, writer.word
    for sort in (bit, word):
        for op in ("zero", "one", "ones"):
            writer.node(sort, f"{op} {sort}")
    states: list[tuple[int, int]] = []
    inits: list[str] = []
    constants = {sort: list(pool) for sort, pool in writer.pools.items()}
    sorts = [writer.random.choice([bit, word]) for _ in range(writer.random.randint(1, 3))]
    sorts += [writer.array] if arrays else []
    for sort in sorts:
        number = writer.node(sort, f"state {sort}")
        states.append((number, sort))
        if sort == word:
            writer.words.append(number)
        if chance() < 0.85:
            value = writer.random.choice(constants[word if sort == writer.array else sort])
            inits.append(f"init {sort} {number} {value}")
    for text in inits:
        writer.line(text)
    for _ in range(writer.random.randint(0, 2)):
        sort = writer.random.choice([bit, word])
        writer.node(sort, f"input {sort}")
    for _ in range(writer.random.randint(4, 14)):
        writer.expression()
    for number, sort in states:
        if chance() < 0.95:
            writer.line(f"next {sort} {number} {following(writer, number, sort)}")
    _properties(writer, justice)
    return "\n".join(writer.lines) + "\n"


def following(writer: Writer, number: int, sort: int) -> int:
    """What a state becomes: often something that goes on for a while."""
    chance = writer.random.random()
    if sort != writer.word or chance < 0.3:
        return writer.pick(sort)
    by = writer.pick(sort) if chance < 0.5 else writer.pools[sort][1]
    moved = writer.node(sort, f"add {sort} {number} {by}")
    if chance < 0.7:
        return moved
    return writer.node(sort, f"ite {sort} {writer.pick(writer.bit)} {moved} {writer.pick(sort)}")


def _properties(writer: Writer, justice: bool) -> None:
    bit, word = writer.bit, writer.word
    for _ in range(1 if justice else writer.random.randint(1, 2)):
        if justice:
            args = " ".join(str(writer.pick(bit)) for _ in range(2))
            writer.line(f"justice 2 {args}")
        else:
            parts = [writer.pick(bit)]
            for _ in range(writer.random.randint(0, 2)):
                # Rarer things are more interesting.
                parts.append(writer.node(bit, f"eq {bit} {writer.pick(word)} {writer.pick(word)}"))
            if writer.random.random() < 0.7:
                # A certain value of a state is often reached late.
                state = writer.random.choice(writer.words or [writer.pick(word)])
                value = writer.random.randrange(1 << writer.width)
                constant = writer.node(word, f"constd {word} {value}")
                parts = [writer.node(bit, f"eq {bit} {state} {constant}"), *parts[1:]]
            condition = parts[0]
            for part in parts[1:]:
                condition = writer.node(bit, f"and {bit} {condition} {part}")
            writer.line(f"bad {condition}")
    if justice and writer.random.random() < 0.4:
        writer.line(f"fair {writer.pick(bit)}")
    if writer.random.random() < 0.3:
        writer.line(f"constraint {writer.pick(bit)}")


def random_model(seed: int, arrays: bool = False, sparse: bool = False) -> Model:
    return parse(random_text(seed, arrays, sparse), f"random {seed}")


# --- brute force -------------------------------------------------------------------------------


def values_of(sort: Any) -> list[Any]:
    """All values of a sort; arrays as tuples of their elements."""
    if isinstance(sort, ArraySort):
        elements = values_of(sort.element)
        return list(product(elements, repeat=len(values_of(sort.index))))
    return list(range(1 << sort.width))


def plain(value: Any) -> Any:
    if isinstance(value, Memory):
        return tuple(value.at(k) for k in values_of(value.sort.index))
    return value


class Explicit:
    """The reachable states of a model, found by trying all inputs."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.program = Evaluator(model)

    def rows(self, nodes: list[Any]) -> list[tuple[Any, ...]]:
        return list(product(*[values_of(node.sort) for node in nodes]))

    def start(self) -> set[tuple[Any, ...]]:
        found = set()
        free = [node for node in self.model.states if node.id not in self.model.inits]
        positions = {node.id: k for k, node in enumerate(self.model.states)}
        for row in self.rows(free):
            chosen = {positions[n.id]: v for n, v in zip(free, row, strict=True)}
            simulator = Simulator(
                self.program, None, lambda k, _, chosen=chosen: _given(chosen.get(k))
            )
            step = simulator.step()
            found.add(tuple(plain(v) for v in step.states))
        return found

    def steps(self, state: tuple[Any, ...]) -> list[tuple[Any, list[bool], Any, Any]]:
        """For each input: the bad states and the next states, if the constraints hold."""
        program = self.program
        found = []
        for row in self.rows(self.model.inputs):
            values = program.start[:]
            for places, given in ((program.states, state), (program.inputs, row)):
                for place, value in zip(places, given, strict=True):
                    values[place] = value_of(program.sorts[place], _given(value))
            roots = [*program.bads, *program.constraints, *program.nexts.values(), *program.fairs]
            roots += [p for ps in program.justices for p in ps]
            program.run(values, roots, lambda place: 0, AsBuilt())
            if not all(values[place] for place in program.constraints):
                continue
            bads = [bool(values[place]) for place in program.bads]
            marks = [bool(values[p]) for ps in program.justices for p in ps]
            marks += [bool(values[p]) for p in program.fairs]
            options = []
            for node, place in zip(self.model.states, program.states, strict=True):
                if place in program.nexts:
                    options.append([plain(values[program.nexts[place]])])
                else:
                    options.append(values_of(node.sort))
            found.append((row, bads, list(product(*options)), marks))
        return found

    def first_times(self) -> list[int | None]:
        """When each bad state is reached first; None if never."""
        times: list[int | None] = [None] * len(self.model.bads)
        frontier, seen, time = self.start(), set(), 0
        while frontier:
            seen |= frontier
            following = set()
            for state in frontier:
                for _, bads, successors, _ in self.steps(state):
                    for k, holds in enumerate(bads):
                        if holds and times[k] is None:
                            times[k] = time
                    following |= set(successors)
            frontier, time = following - seen, time + 1
        return times

    def has_fair_cycle(self) -> bool:
        """Whether a cycle can be reached on which each condition holds somewhere."""
        edges: dict[Any, set[tuple[Any, tuple[bool, ...]]]] = {}
        pending = list(self.start())
        while pending:
            state = pending.pop()
            if state in edges:
                continue
            edges[state] = {
                (successor, tuple(marks))
                for _, _, successors, marks in self.steps(state)
                for successor in successors
            }
            pending += [successor for successor, _ in edges[state]]
        return any(self._cycle_from(edges, state) for state in edges)

    def _cycle_from(self, edges: dict[Any, Any], start: Any) -> bool:
        """Whether a walk from a state back to it collects all conditions."""
        seen = set()
        pending = [(successor, marks) for successor, marks in edges[start]]
        while pending:
            state, marks = pending.pop()
            if (state, marks) in seen:
                continue
            seen.add((state, marks))
            if state == start and all(marks):
                return True
            for successor, more in edges[state]:
                joined = tuple(a or b for a, b in zip(marks, more, strict=True))
                pending.append((successor, joined))
        return False


def _given(value: Any) -> Any:
    return dict(enumerate(value)) if isinstance(value, tuple) else value
