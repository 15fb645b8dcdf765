"""The plain unrolled formula of a model in a solver's own interface: a term for each node and time.

`python -m benchmarks.btor2_plain bitwuzla FILE --bound 10` asks about one time after the other,
with one solver.  The operators are those of `btor2_hardware`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import bitwuzla
import z3

from solvent.btor2 import Model, Node, parse
from solvent.btor2.syntax import LITERALS
from solvent.terms.sorts import ArraySort

ONE_BIT = ("eq", "neq", "ult", "ugt", "ulte", "ugte")


class Z3:
    """Z3's Python interface."""

    OPERATORS: ClassVar[dict[str, Callable[..., Any]]] = {
        "and": lambda a, b: a & b,
        "or": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "sll": lambda a, b: a << b,
        "srl": z3.LShR,
        "inc": lambda a: a + 1,
        "dec": lambda a: a - 1,
        "not": lambda a: ~a,
        "eq": lambda a, b: a == b,
        "neq": lambda a, b: a != b,
        "ult": z3.ULT,
        "ugt": z3.UGT,
        "ulte": z3.ULE,
        "ugte": z3.UGE,
        "ite": lambda test, a, b: z3.If(test == 1, a, b),
        "read": z3.Select,
        "write": z3.Store,
    }

    def __init__(self) -> None:
        self.solver = z3.Solver()

    def sort(self, sort: Any) -> Any:
        if isinstance(sort, ArraySort):
            return z3.ArraySort(self.sort(sort.index), self.sort(sort.element))
        return z3.BitVecSort(sort.width)

    def number(self, value: int, width: int) -> Any:
        return z3.BitVecVal(value, width)

    def constant(self, sort: Any, name: str) -> Any:
        return z3.Const(name, self.sort(sort))

    def everywhere(self, sort: Any, value: Any) -> Any:
        return z3.K(self.sort(sort.index), value)

    def apply(self, node: Node, args: list[Any]) -> Any:
        if node.op == "slice":
            return z3.Extract(node.numbers[0], node.numbers[1], args[0])
        if node.op == "uext":
            return z3.ZeroExt(node.numbers[0], args[0])
        result = self.OPERATORS[node.op](*args)
        one, zero = self.number(1, 1), self.number(0, 1)
        return z3.If(result, one, zero) if node.op in ONE_BIT else result

    def complement(self, value: Any) -> Any:
        return ~value

    def holds(self, bit: Any) -> Any:
        return bit == 1

    def satisfiable(self, condition: Any) -> bool:
        return bool(self.solver.check(condition) == z3.sat)

    def add(self, condition: Any) -> None:
        self.solver.add(condition)


class Bitwuzla:
    """Bitwuzla's Python interface."""

    KINDS = bitwuzla.Kind
    OPERATORS: ClassVar[dict[str, Any]] = {
        "and": KINDS.BV_AND,
        "or": KINDS.BV_OR,
        "xor": KINDS.BV_XOR,
        "add": KINDS.BV_ADD,
        "sub": KINDS.BV_SUB,
        "mul": KINDS.BV_MUL,
        "sll": KINDS.BV_SHL,
        "srl": KINDS.BV_SHR,
        "inc": KINDS.BV_INC,
        "dec": KINDS.BV_DEC,
        "not": KINDS.BV_NOT,
        "eq": KINDS.EQUAL,
        "neq": KINDS.DISTINCT,
        "ult": KINDS.BV_ULT,
        "ugt": KINDS.BV_UGT,
        "ulte": KINDS.BV_ULE,
        "ugte": KINDS.BV_UGE,
        "slice": KINDS.BV_EXTRACT,
        "uext": KINDS.BV_ZERO_EXTEND,
        "ite": KINDS.ITE,
        "read": KINDS.ARRAY_SELECT,
        "write": KINDS.ARRAY_STORE,
    }

    def __init__(self) -> None:
        self.terms = bitwuzla.TermManager()
        self.solver = bitwuzla.Bitwuzla(self.terms, bitwuzla.Options())

    def sort(self, sort: Any) -> Any:
        if isinstance(sort, ArraySort):
            return self.terms.mk_array_sort(self.sort(sort.index), self.sort(sort.element))
        return self.terms.mk_bv_sort(sort.width)

    def number(self, value: int, width: int) -> Any:
        return self.terms.mk_bv_value(self.terms.mk_bv_sort(width), value)

    def constant(self, sort: Any, name: str) -> Any:
        return self.terms.mk_const(self.sort(sort), name)

    def everywhere(self, sort: Any, value: Any) -> Any:
        return self.terms.mk_const_array(self.sort(sort), value)

    def apply(self, node: Node, args: list[Any]) -> Any:
        make = self.terms.mk_term
        if node.op == "ite":
            args = [self.holds(args[0]), *args[1:]]
        result = make(self.OPERATORS[node.op], args, list(node.numbers))
        one, zero = self.number(1, 1), self.number(0, 1)
        return make(self.KINDS.ITE, [result, one, zero]) if node.op in ONE_BIT else result

    def complement(self, value: Any) -> Any:
        return self.terms.mk_term(self.KINDS.BV_NOT, [value])

    def holds(self, bit: Any) -> Any:
        return self.terms.mk_term(self.KINDS.EQUAL, [bit, self.number(1, 1)])

    def satisfiable(self, condition: Any) -> bool:
        return bool(self.solver.check_sat(condition) == bitwuzla.Result.SAT)

    def add(self, condition: Any) -> None:
        self.solver.assert_formula(condition)


SOLVERS: dict[str, Callable[[], Any]] = {"bitwuzla": Bitwuzla, "z3": Z3}


class Unrolled:
    """The terms of all nodes of a model at a time."""

    def __init__(self, model: Model, solver: Any) -> None:
        self.model = model
        self.solver = solver
        self.time = -1
        self.values: dict[int, Any] = {}

    def of(self, values: dict[int, Any], argument: int) -> Any:
        return values[argument] if argument > 0 else self.solver.complement(values[-argument])

    def advance(self) -> None:
        """Make the terms of the next time."""
        before, self.values = self.values, {}
        self.time += 1
        for node in self.model.nodes.values():
            if node.sort is None or node.op in ("sort", "init", "next"):
                continue
            if node.op in LITERALS:
                value = self.solver.number(node.numbers[0], node.sort.width)  # type: ignore[attr-defined]
            elif node.op == "state":
                value = self._state(node, before)
            elif node.op == "input":
                value = self.solver.constant(node.sort, f"{node.id}@{self.time}")
            else:
                value = self.solver.apply(node, [self.of(self.values, arg) for arg in node.args])
            self.values[node.id] = value

    def _state(self, node: Node, before: dict[int, Any]) -> Any:
        model = self.model
        if self.time and node.id in model.nexts:
            return self.of(before, model.nexts[node.id])
        if not self.time and node.id in model.inits:
            value = self.of(self.values, model.inits[node.id])
            is_element = isinstance(node.sort, ArraySort)
            return self.solver.everywhere(node.sort, value) if is_element else value
        return self.solver.constant(node.sort, f"{node.id}#{self.time}")


def first_time(model: Model, name: str, bound: int) -> int | None:
    """When a bad state is reached first, by unrolling."""
    solver = SOLVERS[name]()
    unrolled = Unrolled(model, solver)
    for time in range(bound + 1):
        unrolled.advance()
        for bad in model.bads:
            bit = unrolled.of(unrolled.values, bad.args[0])
            if solver.satisfiable(solver.holds(bit)):
                return time
            solver.add(solver.holds(solver.complement(bit)))
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.btor2_plain")
    parser.add_argument("solver", choices=SOLVERS)
    parser.add_argument("file")
    parser.add_argument("--bound", type=int, default=10)
    options = parser.parse_args()
    time = first_time(parse(Path(options.file).read_text()), options.solver, options.bound)
    print(f"holds up to time {options.bound}" if time is None else f"is violated at time {time}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
