"""Models like those that are made of circuits, of any size: written as text, the same for a seed.

`python -m benchmarks.btor2_hardware FAMILY --nodes 1000 --seed 0 [--bug]` prints one.  The families
are counters with limits, counters without, FIFOs that are watched by a scoreboard, round-robin
arbiters, pipelined multipliers beside what they should compute, and small cores with a memory
beside the machine that they implement.  Without `--bug` the properties hold; with it there is a
mistake in the circuit, as designers make them: a wrong limit, elements that are not counted, a
grant that does not look at the others, a carry that is lost, a result that is not forwarded.

`python -m benchmarks.btor2_circuits` checks a selection of them beside other ways.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


@dataclass
class Circuit:
    """A model under construction: lines of BTOR2, and the numbers of sorts and constants."""

    lines: list[str] = field(default_factory=list)
    known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def line(self, *words: object) -> int:
        """Add a line; its number."""
        number = len(self.lines) + 1
        self.lines.append(" ".join(map(str, (number, *words))))
        return number

    def _once(self, *words: object) -> int:
        found = self.known.get(words)
        if found is None:
            found = self.known[words] = self.line(*words)
        return found

    def sort(self, width: int) -> int:
        return self._once("sort", "bitvec", width)

    def array(self, index: int, element: int) -> int:
        return self._once("sort", "array", self.sort(index), self.sort(element))

    def number(self, value: int, width: int) -> int:
        return self._once("constd", self.sort(width), value)

    def input(self, name: str, width: int) -> int:
        return self.line("input", self.sort(width), name)

    def state(self, name: str, width: int, init: int | None = None) -> int:
        """A register, which starts with a number if it is given one."""
        first = None if init is None else self.number(init, width)
        state = self.line("state", self.sort(width), name)
        if first is not None:
            self.line("init", self.sort(width), state, first)
        return state

    def next(self, state: int, width: int, value: int) -> None:
        self.line("next", self.sort(width), state, value)

    def op(self, name: str, width: int, *args: int) -> int:
        """An operator, whose result has a width; a negative argument is a complement."""
        return self.line(name, self.sort(width), *args)

    def all_of(self, parts: list[int]) -> int:
        return self._tree("and", parts)

    def any_of(self, parts: list[int]) -> int:
        return self._tree("or", parts)

    def _tree(self, name: str, parts: list[int]) -> int:
        result = parts[0]
        for part in parts[1:]:
            result = self.op(name, 1, result, part)
        return result

    def is_number(self, value: int, number: int, width: int) -> int:
        return self.op("eq", 1, value, self.number(number, width))

    def bad(self, condition: int, name: str) -> None:
        self.line("bad", condition, name.replace(" ", "-"))

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def width_for(count: int) -> int:
    """How many bits numbers below a count need."""
    return max(1, (count - 1).bit_length())


# --- counters ----------------------------------------------------------------------------------


def counters(nodes: int, random: Random, bug: bool) -> Circuit:
    """Counters that are enabled by inputs and start again at their limits; each stays below it."""
    circuit = Circuit()
    count = max(1, nodes // 14)
    wrong = random.randrange(count) if bug else -1
    beyond = []
    reset = circuit.input("reset", 1)
    for k in range(count):
        width = random.choice((8, 12, 16, 24, 32))
        limit = random.randrange(5, 12)
        enable = circuit.input(f"enable{k}", 1)
        state = circuit.state(f"count{k}", width, 0)
        last = limit + 1 if k == wrong else limit
        at_end = circuit.is_number(state, last, width)
        more = circuit.op("inc", width, state)
        kept = circuit.op("ite", width, at_end, circuit.number(0, width), more)
        moved = circuit.op("ite", width, enable, kept, state)
        circuit.next(state, width, circuit.op("ite", width, reset, circuit.number(0, width), moved))
        beyond.append(circuit.op("ugt", 1, state, circuit.number(limit, width)))
    circuit.bad(circuit.any_of(beyond), "beyond a limit")
    return circuit


def unbounded(nodes: int, random: Random, bug: bool) -> Circuit:
    """Counters that only grow, by what an input says; whether their sum can be a large number."""
    circuit = Circuit()
    count, width = max(2, nodes // 8), 32
    total = circuit.number(0, width)
    for k in range(count):
        by = circuit.input(f"by{k}", 4)
        state = circuit.state(f"count{k}", width, 0)
        step = circuit.op("add", width, state, circuit.line("uext", circuit.sort(width), by, 28))
        circuit.next(state, width, step)
        total = circuit.op("add", width, total, state)
    reached = 15 * count * 6 if bug else 1_000_000 + random.randrange(1000)
    circuit.bad(circuit.is_number(total, reached, width), "far away")
    return circuit


# --- FIFOs -------------------------------------------------------------------------------------


def fifo(nodes: int, random: Random, bug: bool) -> Circuit:
    """A ring of registers; what a scoreboard chose to watch comes out as it went in."""
    circuit = Circuit()
    depth, width = max(4, nodes // 9), 8
    bits = width_for(depth + 1)
    push, pop = circuit.input("push", 1), circuit.input("pop", 1)
    data, watch = circuit.input("data", width), circuit.input("watch", 1)
    head, tail = circuit.state("head", bits, 0), circuit.state("tail", bits, 0)
    used = circuit.state("used", bits, 0)
    full = circuit.is_number(used, depth, bits)
    empty = circuit.is_number(used, 0, bits)
    pushes = circuit.op("and", 1, push, -full)
    pops = circuit.op("and", 1, pop, -empty)
    out = circuit.number(0, width)
    for k in range(depth):
        place = circuit.state(f"place{k}", width)
        here = circuit.is_number(tail, k, bits)
        written = circuit.op("and", 1, pushes, here)
        circuit.next(place, width, circuit.op("ite", width, written, data, place))
        out = circuit.op("ite", width, circuit.is_number(head, k, bits), place, out)
    for pointer, moves in ((tail, pushes), (head, pops)):
        at_end = circuit.is_number(pointer, depth - 1, bits)
        after = circuit.op(
            "ite", bits, at_end, circuit.number(0, bits), circuit.op("inc", bits, pointer)
        )
        circuit.next(pointer, bits, circuit.op("ite", bits, moves, after, pointer))
    more = circuit.op("ite", bits, pushes, circuit.op("inc", bits, used), used)
    # With the mistake what goes in and out at once is counted as if it only went in.
    fewer = circuit.op("and", 1, pops, -pushes) if bug else pops
    circuit.next(used, bits, circuit.op("ite", bits, fewer, circuit.op("dec", bits, more), more))
    _scoreboard(circuit, bits, width, (pushes, pops, watch), (used, data, out))
    return circuit


def _scoreboard(
    circuit: Circuit, bits: int, width: int, moves: tuple[int, ...], values: tuple[int, ...]
) -> None:
    """Remember one element that goes in, how many are before it, and compare when it comes out."""
    pushes, pops, watch = moves
    used, data, out = values
    watching, seen = circuit.state("watching", 1, 0), circuit.state("seen", width, 0)
    before = circuit.state("before", bits, 0)
    begins = circuit.all_of([pushes, watch, -watching])
    first = circuit.is_number(before, 0, bits)
    comes = circuit.all_of([watching, pops, first])
    circuit.next(seen, width, circuit.op("ite", width, begins, data, seen))
    left = circuit.op("ite", bits, pops, circuit.op("dec", bits, used), used)
    fewer = circuit.op("ite", bits, pops, circuit.op("dec", bits, before), before)
    circuit.next(before, bits, circuit.op("ite", bits, begins, left, fewer))
    stays = circuit.op("and", 1, watching, -comes)
    circuit.next(watching, 1, circuit.op("or", 1, begins, stays))
    differs = circuit.op("neq", 1, out, seen)
    circuit.bad(circuit.op("and", 1, comes, differs), "another comes out")


# --- arbiters ----------------------------------------------------------------------------------


def arbiter(nodes: int, random: Random, bug: bool) -> Circuit:
    """A turn goes round; the first that asks from there on is granted, and only that one."""
    circuit = Circuit()
    clients = max(3, nodes // 16)
    turns = [circuit.state(f"turn{k}", 1, int(k == 0)) for k in range(clients)]
    asks = [circuit.input(f"ask{k}", 1) for k in range(clients)]
    held = circuit.state("held", 1, 0)
    wrong = random.randrange(1, clients) if bug else -1
    # Passed on from client to client, twice round: whether the turn was met and nobody asked since.
    token = circuit.number(0, 1)
    grants: list[int] = [0] * clients
    for lap in range(2):
        for k in range(clients):
            token = circuit.op("or", 1, token, turns[k]) if lap == 0 else token
            granted = circuit.op("and", 1, token, asks[k])
            grants[k] = granted if lap == 0 else circuit.op("or", 1, grants[k], granted)
            token = circuit.op("and", 1, token, -asks[k])
    if wrong >= 0:
        # The mistake: after a grant that was held, this one does not look at the others.
        extra = circuit.op("and", 1, held, asks[wrong])
        grants[wrong] = circuit.op("or", 1, grants[wrong], extra)
    some = circuit.any_of(grants)
    circuit.next(held, 1, some)
    for k in range(clients):
        follows = circuit.op("ite", 1, some, grants[k - 1], turns[k])
        circuit.next(turns[k], 1, follows)
    taken, twice = grants[0], []
    for grant in grants[1:]:
        twice.append(circuit.op("and", 1, taken, grant))
        taken = circuit.op("or", 1, taken, grant)
    circuit.bad(circuit.any_of(twice), "two are granted")
    lost = circuit.op("and", 1, circuit.any_of(asks), -some)
    circuit.bad(lost, "nobody is granted")
    return circuit


# --- arithmetic --------------------------------------------------------------------------------


def multiplier(nodes: int, random: Random, bug: bool) -> Circuit:
    """Lanes of pipelines that multiply bit by bit, each beside the product that waits as long."""
    circuit = Circuit()
    width = 6
    lanes = max(1, nodes // (16 * width))
    wrong = random.randrange(lanes) if bug else -1
    apart = []
    for lane in range(lanes):
        a, b = (circuit.input(f"{name}{lane}", width) for name in "ab")
        expected = circuit.op("mul", width, a, b)
        sum_, shifted, rest = circuit.number(0, width), a, b
        for stage in range(width):
            bit = circuit.line("slice", circuit.sort(1), rest, 0, 0)
            added = circuit.op("add", width, sum_, shifted)
            if lane == wrong and stage == width - 2:
                added = circuit.op("or", width, sum_, shifted)
            values = {
                "sum": circuit.op("ite", width, bit, added, sum_),
                "left": circuit.op("sll", width, shifted, circuit.number(1, width)),
                "rest": circuit.op("srl", width, rest, circuit.number(1, width)),
                "expected": expected,
            }
            registers = []
            for name, value in values.items():
                register = circuit.state(f"{name}{lane}.{stage}", width, 0)
                circuit.next(register, width, value)
                registers.append(register)
            sum_, shifted, rest, expected = registers
        apart.append(circuit.op("neq", 1, sum_, expected))
    circuit.bad(circuit.any_of(apart), "another product")
    return circuit


# --- cores -------------------------------------------------------------------------------------


# The numbers of instructions after those that compute: smaller ones write a register.
LOAD, CONSTANT, STORE = 4, 5, 6


@dataclass
class _Machine:
    """The registers and the memory of a machine, and what an instruction does with them."""

    circuit: Circuit
    name: str
    count: int
    width: int
    bits: int

    def __post_init__(self) -> None:
        circuit = self.circuit
        zero = circuit.number(0, self.width)
        self.registers = [
            circuit.state(f"{self.name}.r{k}", self.width, 0) for k in range(self.count)
        ]
        self.sort = circuit.array(self.width, self.width)
        self.memory = circuit.line("state", self.sort, f"{self.name}.memory")
        circuit.line("init", self.sort, self.memory, zero)

    def read(self, number: int) -> int:
        """The register of a number."""
        circuit, result = self.circuit, self.registers[0]
        for k, register in enumerate(self.registers[1:], 1):
            here = circuit.is_number(number, k, self.bits)
            result = circuit.op("ite", self.width, here, register, result)
        return result

    def written(self, writes: int, number: int, value: int) -> list[int]:
        """The registers after one of them was written, if it is."""
        circuit, after = self.circuit, []
        for k, register in enumerate(self.registers):
            here = circuit.op("and", 1, writes, circuit.is_number(number, k, self.bits))
            after.append(circuit.op("ite", self.width, here, value, register))
        return after

    def keep(self, registers: list[int], memory: int) -> None:
        """What the registers and the memory are next."""
        for state, value in zip(self.registers, registers, strict=True):
            self.circuit.next(state, self.width, value)
        self.circuit.line("next", self.sort, self.memory, memory)

    def stored(self, stores: int, address: int, value: int) -> int:
        """The memory after a store, if it is one."""
        written = self.circuit.line("write", self.sort, self.memory, address, value)
        return self.circuit.line("ite", self.sort, stores, written, self.memory)

    def result(self, code: int, a: int, b: int, loaded: int, given: int) -> int:
        """What an instruction computes, loads or is given."""
        circuit, width = self.circuit, self.width
        result = circuit.op("ite", width, circuit.is_number(code, LOAD, 3), loaded, given)
        for number, name in enumerate(("add", "sub", "xor", "and")):
            here = circuit.is_number(code, number, 3)
            result = circuit.op("ite", width, here, circuit.op(name, width, a, b), result)
        return result


def core(nodes: int, random: Random, bug: bool) -> Circuit:
    """A machine of two stages, which forwards what it has not written yet, beside a plain one.

    Instructions are inputs.  With the mistake what is loaded is not forwarded.
    """
    circuit = Circuit()
    width = 8
    # Each number of so many bits is that of a register.
    bits = max(1, (nodes // 20).bit_length() - 1)
    count = 1 << bits
    code, given = circuit.input("code", 3), circuit.input("given", width)
    target, first, second = (circuit.input(name, bits) for name in ("target", "first", "second"))
    plain = _Machine(circuit, "plain", count, width, bits)
    piped = _Machine(circuit, "piped", count, width, bits)
    stores = circuit.is_number(code, STORE, 3)
    writes = circuit.op("ult", 1, code, circuit.number(STORE, 3))
    a, b = plain.read(first), plain.read(second)
    loaded = circuit.op("read", width, plain.memory, a)
    plain.keep(
        plain.written(writes, target, plain.result(code, a, b, loaded, given)),
        plain.stored(stores, a, b),
    )
    sizes = {"writes": 1, "stores": 1, "target": bits, "a": width, "b": width}
    late = {name: circuit.state(f"late.{name}", size, 0) for name, size in sizes.items()}

    def forwarded(number: int) -> int:
        same = circuit.op("eq", 1, number, late["target"])
        pending = circuit.op("and", 1, late["writes"], same)
        return circuit.op("ite", width, pending, late["b"], piped.read(number))

    a, b = forwarded(first), forwarded(second)
    loaded = circuit.op("read", width, piped.memory, a)
    if not bug:
        same = circuit.op("and", 1, late["stores"], circuit.op("eq", 1, a, late["a"]))
        loaded = circuit.op("ite", width, same, late["b"], loaded)
    value = circuit.op("ite", width, stores, b, piped.result(code, a, b, loaded, given))
    coming = {"writes": writes, "stores": stores, "target": target, "a": a, "b": value}
    for name, size in sizes.items():
        circuit.next(late[name], size, coming[name])
    after = piped.written(late["writes"], late["target"], late["b"])
    piped.keep(after, piped.stored(late["stores"], late["a"], late["b"]))
    differ = [
        circuit.op("neq", 1, mine, theirs)
        for mine, theirs in zip(plain.registers, after, strict=True)
    ]
    circuit.bad(circuit.any_of(differ), "another result")
    return circuit


Family = Callable[[int, Random, bool], Circuit]

FAMILIES: dict[str, Family] = {
    "counters": counters,
    "unbounded": unbounded,
    "fifo": fifo,
    "arbiter": arbiter,
    "multiplier": multiplier,
    "core": core,
}


def text(family: str, nodes: int = 1000, seed: int = 0, bug: bool = False) -> str:
    """A model of a family, of about so many nodes."""
    return FAMILIES[family](nodes, Random(seed), bug).text()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.btor2_hardware")
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--nodes", type=int, default=1000, help="about how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bug", action="store_true", help="with a mistake in the circuit")
    options = parser.parse_args()
    sys.stdout.write(text(options.family, options.nodes, options.seed, options.bug))
    return 0


if __name__ == "__main__":
    sys.exit(main())
