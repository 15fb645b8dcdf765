"""Random C* programs that end, drawn by Hypothesis or from a seed.

Every construct of figure 13 occurs.  Variables have a value before they are read, and loops count
to a small number; anything else may go wrong: divisions by zero and bad addresses are wanted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

NUMBERS = (0, 1, 2, 3, 7, 8, 42, 255, 256, 2047, 2048, 4095, 4096, 65536, 10**6, 2**31 - 2048)
LARGE = (2**31, 2**32, 2**40 + 5, 2**63, 2**64 - 1, 2**64 - 4096)
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
WORDS = 8


@dataclass
class Writer:
    """Writes one program; `pick` makes all decisions."""

    pick: random.Random
    # How likely something that may fail is written, of a hundred.
    risk: int = 8
    reads: bool = True
    depth: int = 0
    lines: list[str] = field(default_factory=list)
    procedures: list[tuple[str, int]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The program."""
        for number in range(self.pick.randrange(3)):
            literal = self.pick.choice(("7", "-1", "'a'", "(uint64_t) 99", str(2**40)))
            given = self.pick.choice(("", f" = {literal}"))
            self.lines.append(f"uint64_t g{number}{given};")
            self.words.append(f"g{number}")
        self.lines.append("uint64_t* table = (uint64_t*) 0;")
        self.recursive()
        for number in range(self.pick.randrange(3)):
            self.procedure(f"f{number}", self.pick.randrange(4))
        self.procedure("main", 0)
        return "\n".join(self.lines) + "\n"

    def recursive(self) -> None:
        if self.pick.randrange(2):
            base, step = self.pick.choice(("1", "n + 2")), self.pick.choice(("n *", "n +", "3 -"))
            self.lines.append(
                f"uint64_t down(uint64_t n) {{ if (n == 0) return {base}; "
                f"return {step} down(n - 1); }}"
            )
            self.procedures.append(("down", -1))

    def procedure(self, name: str, parameters: int) -> None:
        kept = self.words[:]
        names = [f"p{number}" for number in range(parameters)]
        local = [f"v{number}" for number in range(self.pick.randrange(1, 4))]
        self.counters = [f"i{number}" for number in range(2)]
        heads = ", ".join(f"uint64_t {one}" for one in names)
        void = name != "main" and self.pick.randrange(5) == 0
        self.lines.append(f"{'void' if void else 'uint64_t'} {name}({heads}) {{")
        for one in local + self.counters:
            self.lines.append(f"  uint64_t {one};")
        self.lines.append("  uint64_t* q;")
        self.words += names
        if name == "main":
            self.lines.append(f"  table = malloc({WORDS} * 8);")
        for one in local:
            self.lines.append(f"  {one} = {self.expression(2)};")
            self.words.append(one)
        self.lines += [f"  {one} = 0;" for one in self.counters]
        self.lines.append("  q = table;")
        self.pointers = ["table", "q"]
        self.depth = 1
        for _ in range(self.pick.randrange(1, 6)):
            self.statement(2)
        if void:
            self.lines.append("  return;")
        elif self.pick.randrange(8):
            self.lines.append(f"  return {self.expression(3)};")
        self.lines.append("}")
        self.words = kept
        self.pointers = []
        if not void:
            self.procedures.append((name, parameters))

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def block(self, fuel: int, head: str) -> None:
        self.line(head + " {")
        self.depth += 1
        for _ in range(self.pick.randrange(1, 3)):
            self.statement(fuel)
        self.depth -= 1
        self.line("}")

    def statement(self, fuel: int) -> None:
        kind = self.pick.randrange(12)
        if kind < 4 or fuel == 0:
            self.assignment()
        elif kind < 6:
            self.block(fuel - 1, f"if ({self.expression(2)})")
            if self.pick.randrange(2):
                self.block(fuel - 1, "else")
        elif kind < 8 and self.counters:
            counter = self.counters.pop()
            self.line(f"{counter} = 0;")
            self.line(f"while ({counter} < {self.pick.randrange(5)}) {{")
            self.depth += 1
            self.statement(fuel - 1)
            self.line(f"{counter} = {counter} + 1;")
            self.depth -= 1
            self.line("}")
            self.counters.append(counter)
        elif kind == 8 and self.reads:
            size = self.pick.choice((0, 1, 1, 2, 3, 7, 8, 9, 12))
            self.line(f"read(0, {self.pointer()}, {size});")
        elif kind == 9:
            self.line(f"write(1, {self.pointer()}, {self.pick.randrange(17)});")
        elif kind == 10 and self.pick.randrange(100) < self.risk:
            self.line(f"exit({self.expression(1)});")
        elif kind == 11 and self.pick.randrange(3) == 0:
            self.line(f"return {self.expression(2)};" if self.returns() else "write(1, q, 1);")
        else:
            self.assignment()

    def returns(self) -> bool:
        heads = [line for line in self.lines if line.endswith("{") and line[0] in "uv"]
        return not heads[-1].startswith("void")

    def assignment(self) -> None:
        kind = self.pick.randrange(6)
        if kind == 0:
            self.line(f"q = {self.pointer()};")
        elif kind < 3:
            self.line(f"*({self.pointer()}) = {self.expression(3)};")
        elif kind == 3:
            self.line(f"*q = {self.expression(2)};")
        else:
            targets = [name for name in self.words if name[0] != "i"] or ["v0"]
            self.line(f"{self.pick.choice(targets)} = {self.expression(3)};")

    # --- expressions ---------------------------------------------------------------------------

    def risky(self) -> bool:
        return self.pick.randrange(100) < self.risk

    def pointer(self) -> str:
        kind = self.pick.randrange(6)
        if self.risky():
            return f"(uint64_t*) ({self.expression(1)})"
        if kind == 0:
            return "table"
        if kind == 1:
            return f"malloc({self.pick.randrange(20)})"
        if kind == 2:
            return f"table + {self.pick.randrange(WORDS)}"
        if kind == 3:
            return f"{self.pick.randrange(WORDS)} + table"
        return f"table + ({self.expression(1)}) % {WORDS}"

    def literal(self) -> str:
        kind = self.pick.randrange(6)
        if kind == 0:
            return self.pick.choice(("'a'", "'0'", "'\\n'", "' '"))
        if kind == 1:
            return str(self.pick.choice(LARGE))
        return str(self.pick.choice(NUMBERS))

    def expression(self, fuel: int) -> str:
        kind = self.pick.randrange(16)
        if fuel == 0 or kind < 3:
            if self.words and self.pick.randrange(3):
                return self.pick.choice(self.words)
            return self.literal()
        if kind < 8:
            operator = self.pick.choice("+-*")
            return f"{self.factor(fuel - 1)} {operator} {self.factor(fuel - 1)}"
        if kind < 10:
            divisor = (
                self.factor(fuel - 1) if self.risky() else f"({self.factor(fuel - 1)} % 5 + 1)"
            )
            return f"{self.factor(fuel - 1)} {self.pick.choice('/%')} {divisor}"
        if kind < 12:
            comparison = self.pick.choice(COMPARISONS)
            return f"{self.factor(fuel - 1)} {comparison} {self.factor(fuel - 1)}"
        if kind == 12 and self.procedures:
            return self.call(fuel)
        if kind == 13 and self.pointers:
            return f"(table + {self.pick.randrange(WORDS)}) - table"
        if kind == 14 and self.pointers:
            return f"*({self.pointer()})"
        return self.factor(fuel)

    def call(self, fuel: int) -> str:
        name, count = self.pick.choice(self.procedures)
        if count < 0:
            return f"{name}(({self.expression(fuel - 1)}) % 4)"
        arguments = ", ".join(self.expression(fuel - 1) for _ in range(count))
        return f"{name}({arguments})"

    def factor(self, fuel: int) -> str:
        kind = self.pick.randrange(8)
        inside = f"({self.expression(fuel)})"
        if kind == 0:
            return f"-{inside}"
        if kind == 1:
            return f"(uint64_t) {inside}"
        if kind == 2 and self.pointers:
            return f"*({self.pointer()})" if self.pick.randrange(2) else "*q"
        return inside


def deep_expression(pick: random.Random, depth: int) -> str:
    """An expression that needs many registers at once."""
    if depth == 0:
        return str(pick.randrange(1, 100))
    operator = pick.choice("+-*")
    return f"({pick.randrange(1, 9)} {operator} {deep_expression(pick, depth - 1)})"


def random_program(seed: int, risk: int = 8, reads: bool = True) -> str:
    """The program that belongs to a seed."""
    return Writer(random.Random(seed), risk, reads).text()
