"""MiniSat: a solver of clauses, for truth values, bitvectors, and ints that are only compared.

Terms become words of literals, whose gates are clauses.  It starts at once, in any process, and has
decided small questions before the process of another solver runs.

Ints of which nothing is asked but whether they are equal need no numbers: each literal has a code,
an unknown may have that of any literal or another one, and there are as many others as unknowns.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from solvent.solvers.engines.base import Builder, Engine, Native, Unsupported
from solvent.solvers.gates import FALSE, TRUE, Gates
from solvent.solvers.rows import (
    CONSTANT_ROW,
    LITERAL_ROW,
    Data,
    Figures,
    ModelData,
    OpCode,
    Row,
    SortCode,
)
from solvent.solvers.words import Word, choice, circuit, constant, equal, less, signed_less

# After so many conflicts it is asked whether to go on: some hundredths of a second.
_SLICE_CONFLICTS = 200
# Room for codes of ints that come later.
_MORE_BITS = 1

# The circuits of operators from words to words.
_CIRCUITS = {
    "bvadd": "add",
    "bvmul": "mul",
    "bvneg": "neg",
    "bvand": "and",
    "bvor": "or",
    "bvxor": "xor",
    "bvnot": "not",
    "bvshl": "sll",
    "bvlshr": "srl",
    "bvashr": "sra",
    "bvudiv": "udiv",
    "bvurem": "urem",
    "bvsdiv": "sdiv",
    "bvsrem": "srem",
    "bvsmod": "smod",
    "concat": "concat",
}
# Of operators with gates for each two bits, how many.
_GATES_OF_A_BIT = {"bvmul": 1, "bvudiv": 3, "bvurem": 3, "bvsdiv": 3, "bvsrem": 3, "bvsmod": 3}
_SPECIAL = frozenset(
    ("and", "or", "not", "=", "ite", "bvule", "bvsle", "extract", "zero_extend", "sign_extend")
)
# The sorts and operators of questions that it can be asked.
FEATURES = frozenset((*_CIRCUITS, *_SPECIAL, "Bool", "BitVec", "Int", "product"))


def is_available() -> bool:
    """Whether there is a solver of clauses, which the package `python-sat` brings."""
    return find_spec("pysolvers") is not None


class TooLarge(Exception):
    """A question has more gates than are allowed."""


class MinisatEngine(Engine):
    """A MiniSat solver; with a limit it raises `TooLarge` if it gets more gates."""

    # A name of its own: nobody can ask for it, as one can for other solvers.
    name = "clauses"

    def __init__(self, mode: str = "", most_gates: int | None = None) -> None:
        if mode:
            raise Unsupported("the solver of clauses has no modes")
        super().__init__(mode)
        self._library: Native = import_module("pysolvers")
        self._gates = Gates()
        self._most_gates = most_gates
        self._add = self._library.minisat22_add_cl
        # What is asserted, frame by frame.
        self._frames: list[list[int]] = [[]]
        # Whether what is asserted in higher frames is only assumed, as those come and go.
        self._assumes = False
        self._begin()
        self._assumptions: list[tuple[int, int]] = []
        self._model: list[int] = []
        # The codes of ints: how many bits each has, that of each literal, and how many unknowns.
        self._int_bits = 0
        self._codes: dict[int, int] = {}
        self._unknown_ints = 0
        self._interrupted = False

    def _begin(self) -> None:
        """A new solver, which is told what is asserted when something is asked."""
        self._solver = self._library.minisat22_new()
        self._end = weakref.finalize(self, self._library.minisat22_del, self._solver)
        self._add(self._solver, [TRUE])
        # Which gates the solver knows, and how many assertions of each frame.
        self._said = bytearray()
        self._told = [0 for _ in self._frames]

    def forget(self) -> None:
        self._end()
        super().forget()

    @staticmethod
    def version() -> str:
        return "MiniSat 2.2"

    # --- terms -------------------------------------------------------------------------------

    def define(self, ops: Sequence[OpCode], rows: Sequence[Row]) -> None:
        if not self._int_bits:
            places = {CONSTANT_ROW: 2, LITERAL_ROW: 1}
            ints = sum(row[0] < 0 and row[places[row[0]]] == ("Int",) for row in rows)
            self._int_bits = ints.bit_length() + _MORE_BITS if ints else 0
        super().define(ops, rows)

    def _check_size(self, more: int = 0) -> None:
        if self._most_gates is not None and len(self._gates) + more > self._most_gates:
            raise TooLarge

    def make_sort(self, code: SortCode) -> Native:
        if code[0] not in ("Bool", "BitVec", "Int"):
            raise Unsupported(f"clauses have no theory of {code[0]}; use z3 or cvc5")
        return code

    def make_constant(self, name: str, sort: Native) -> Native:
        if sort[0] == "Bool":
            return self._gates.variable()
        if sort[0] == "Int":
            self._unknown_ints += 1
            self._check_codes()
            return self._word(self._int_bits)
        return self._word(sort[1])

    def _word(self, width: int) -> Word:
        self._check_size()
        return tuple([self._gates.variable() for _ in range(width)])

    def make_literal(self, code: SortCode, value: Data) -> Native:
        match code:
            case ("Bool",):
                return TRUE if value else FALSE
            case ("BitVec", width):
                return constant(value, width)
            case ("Int",):
                number = self._codes.setdefault(value, len(self._codes))
                self._check_codes()
                return constant(number, self._int_bits)
        raise Unsupported(f"clauses have no theory of {code[0]}; use z3 or cvc5")

    def _check_codes(self) -> None:
        """Whether there is a code for each int, were all of them different."""
        if len(self._codes) + self._unknown_ints > 1 << self._int_bits:
            raise TooLarge

    def declare(self, name: str, domain: list[Native], range_: Native) -> Native:
        raise Unsupported("clauses have no functions; use z3 or cvc5")

    def make_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        if name in _SPECIAL:
            return self.special_builder({"=": "equal"}.get(name, name), params)
        if name not in _CIRCUITS:
            raise Unsupported(f"clauses have no operator {name}; use z3 or cvc5")
        return self._sized(name)

    def _sized(self, name: str) -> Builder:
        """A circuit, unless there are too many gates already, or would be: some are quadratic."""
        apply = circuit(_CIRCUITS[name])
        gates = self._gates
        quadratic = _GATES_OF_A_BIT.get(name)

        def build(*words: Word) -> Word:
            self._check_size(quadratic * len(words[0]) ** 2 if quadratic else 0)
            return apply(gates, *words)

        return build

    def _build_and(self) -> Builder:
        both, all_of = self._gates.both, self._gates.all_of
        return lambda *args: both(*args) if len(args) == 2 else all_of(args)

    def _build_or(self) -> Builder:
        either, any_of = self._gates.either, self._gates.any_of
        return lambda *args: either(*args) if len(args) == 2 else any_of(args)

    def _build_not(self) -> Builder:
        return lambda a: -a

    def _build_equal(self) -> Builder:
        gates = self._gates

        def build(a: Native, b: Native) -> int:
            if isinstance(a, int):
                return -gates.differ(a, b)
            self._check_size()
            return equal(gates, a, b)

        return build

    def _build_ite(self, *_: Data) -> Builder:
        gates = self._gates

        def build(test: int, a: Native, b: Native) -> Native:
            if isinstance(a, int):
                return gates.choice(test, a, b)
            self._check_size()
            return choice(gates, test, a, b)

        return build

    def _build_bvule(self) -> Builder:
        return lambda a, b: less(self._gates, a, b, or_equal=True)

    def _build_bvsle(self) -> Builder:
        return lambda a, b: signed_less(self._gates, a, b, or_equal=True)

    def _build_extract(self, high: int, low: int) -> Builder:
        return lambda a: a[low : high + 1]

    def _build_zero_extend(self, count: int) -> Builder:
        return lambda a: (*a, *(FALSE,) * count)

    def _build_sign_extend(self, count: int) -> Builder:
        return lambda a: (*a, *a[-1:] * count)

    # --- assertions and answers --------------------------------------------------------------

    def push(self) -> None:
        self._frames.append([])
        self._told.append(0)

    def pop(self, count: int) -> None:
        held = any(self._told[-count:])
        del self._frames[-count:]
        del self._told[-count:]
        if held and not self._assumes:
            # A solver simplifies what holds for good; where that ends, it begins anew.
            self._assumes = True
            self._end()
            self._begin()

    def assert_formula(self, number: int) -> None:
        self._frames[-1].append(self.nodes[number])

    def _tell(self) -> list[int]:
        """Tell the solver what it has not been told of the assertions; those to be assumed."""
        assumed: list[int] = []
        for place, frame in enumerate(self._frames):
            for literal in frame[self._told[place] :]:
                self._define(literal)
                if not (place and self._assumes):
                    self._add(self._solver, [literal])
            self._told[place] = len(frame)
            if place and self._assumes:
                assumed += frame
        return assumed

    def _define(self, literal: int) -> None:
        """Tell the solver the clauses of a literal."""
        self._check_size()
        solver, add = self._solver, self._add
        for clause in self._gates.clauses(literal, self._said):
            add(solver, clause)

    def check(self, assumptions: Sequence[int], seconds: float | None) -> tuple[str, str]:
        end = float("inf") if seconds is None else time.monotonic() + seconds
        self._interrupted = False
        answer = self.search(
            assumptions, lambda _: not self._interrupted and time.monotonic() < end
        )
        if answer == "unknown":
            return answer, "interrupted" if self._interrupted else "timeout"
        return answer, ""

    def search(self, assumptions: Sequence[int], goes_on: Callable[[int], bool]) -> str:
        """The status; `goes_on` is asked after some conflicts, and told how many there were."""
        library, solver = self._library, self._solver
        wanted = self._tell()
        self._assumptions = [(number, self.nodes[number]) for number in assumptions]
        for _, literal in self._assumptions:
            self._define(literal)
            wanted.append(literal)
        conflicts = 0
        while True:
            library.minisat22_cbudget(solver, _SLICE_CONFLICTS)
            # Neither Ctrl-C nor an interrupt is heard in a slice.
            found = library.minisat22_solve_lim(solver, wanted, 0, 0)
            if found is not None:
                break
            conflicts += _SLICE_CONFLICTS
            if not goes_on(conflicts):
                return "unknown"
        if not found:
            return "unsat"
        self._model = library.minisat22_model(solver) or []
        return "sat"

    def core(self) -> list[int]:
        needed = set(self._library.minisat22_core(self._solver) or ())
        return [number for number, literal in self._assumptions if literal in needed]

    def interrupt(self) -> None:
        self._interrupted = True

    def model(self, wanted: Sequence[int] | None = None) -> ModelData:
        literals = {code: value for value, code in self._codes.items()}
        # Other ints than the literals, each its own.
        least = max((0, *self._codes)) + 1
        values: list[tuple[int, Data]] = []
        for number, sort in self.asked(wanted):
            node = self.nodes[number]
            if sort[0] == "Bool":
                values.append((number, self._is_true(node)))
                continue
            value = sum(self._is_true(bit) << place for place, bit in enumerate(node))
            if sort[0] == "Int":
                value = literals[value] if value in literals else least + value
            values.append((number, value))
        return values, [], []

    def _is_true(self, literal: int) -> bool:
        """Whether a variable is true; of one that is in no clause it does not matter."""
        return literal <= len(self._model) and self._model[literal - 1] > 0

    def statistics(self) -> Figures:
        return dict(self._library.minisat22_acc_stats(self._solver))
