"""Bitwuzla: bitvectors, floats, arrays and uninterpreted functions over them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import bitwuzla
from bitwuzla import Kind, Option, Result

from solvent.solvers.engines.base import Builder, Engine, Native, Unsupported
from solvent.solvers.rows import COMMON_FLOATS, Data, Figures, ModelData, SortCode

_KINDS: dict[str, Native] = {
    "and": Kind.AND,
    "or": Kind.OR,
    "not": Kind.NOT,
    "=": Kind.EQUAL,
    "ite": Kind.ITE,
    "bvadd": Kind.BV_ADD,
    "bvmul": Kind.BV_MUL,
    "bvneg": Kind.BV_NEG,
    "bvand": Kind.BV_AND,
    "bvor": Kind.BV_OR,
    "bvxor": Kind.BV_XOR,
    "bvnot": Kind.BV_NOT,
    "bvshl": Kind.BV_SHL,
    "bvlshr": Kind.BV_SHR,
    "bvashr": Kind.BV_ASHR,
    "bvudiv": Kind.BV_UDIV,
    "bvurem": Kind.BV_UREM,
    "bvsdiv": Kind.BV_SDIV,
    "bvsrem": Kind.BV_SREM,
    "bvsmod": Kind.BV_SMOD,
    "bvule": Kind.BV_ULE,
    "bvsle": Kind.BV_SLE,
    "concat": Kind.BV_CONCAT,
    "extract": Kind.BV_EXTRACT,
    "zero_extend": Kind.BV_ZERO_EXTEND,
    "sign_extend": Kind.BV_SIGN_EXTEND,
    "select": Kind.ARRAY_SELECT,
    "store": Kind.ARRAY_STORE,
    "fp.neg": Kind.FP_NEG,
    "fp.abs": Kind.FP_ABS,
    "fp.rem": Kind.FP_REM,
    "fp.leq": Kind.FP_LEQ,
    "fp.lt": Kind.FP_LT,
    "fp.eq": Kind.FP_EQUAL,
    "fp.isNormal": Kind.FP_IS_NORMAL,
    "fp.isSubnormal": Kind.FP_IS_SUBNORMAL,
    "fp.isZero": Kind.FP_IS_ZERO,
    "fp.isInfinite": Kind.FP_IS_INF,
    "fp.isNaN": Kind.FP_IS_NAN,
    "fp.isNegative": Kind.FP_IS_NEG,
    "fp.isPositive": Kind.FP_IS_POS,
    "fp.min": Kind.FP_MIN,
    "fp.max": Kind.FP_MAX,
}
_ROUNDED: dict[str, Native] = {
    "fp.add": Kind.FP_ADD,
    "fp.sub": Kind.FP_SUB,
    "fp.mul": Kind.FP_MUL,
    "fp.div": Kind.FP_DIV,
    "fp.fma": Kind.FP_FMA,
    "fp.sqrt": Kind.FP_SQRT,
    "fp.roundToIntegral": Kind.FP_RTI,
}
# Rounded conversions, whose parameters are the rounding mode and a sort or a width.
_CONVERSIONS: dict[str, Native] = {
    "to_fp_from_float": Kind.FP_TO_FP_FROM_FP,
    "to_fp_from_signed": Kind.FP_TO_FP_FROM_SBV,
    "to_fp_unsigned": Kind.FP_TO_FP_FROM_UBV,
    "fp.to_ubv": Kind.FP_TO_UBV,
    "fp.to_sbv": Kind.FP_TO_SBV,
}
_STATUS = {Result.SAT: "sat", Result.UNSAT: "unsat", Result.UNKNOWN: "unknown"}


class BitwuzlaEngine(Engine):
    """A Bitwuzla solver; the mode is a value of its option `bv-solver`, such as `prop`.

    Bitwuzla is up to several times faster on a check that it knows to be the only one: no frames,
    no cores.  So the first is made like that, and everything is asserted again if more follow.
    """

    name = "bitwuzla"

    def __init__(self, mode: str = "") -> None:
        super().__init__(mode)
        self._terms = bitwuzla.TermManager()
        # What is asserted, frame by frame.
        self._frames: list[list[Native]] = [[]]
        self._checked = self._incremental = False
        self._solver = self._new_solver()
        self._assumptions: list[tuple[int, Native]] = []
        # A plain moment: the process of a solver imports nothing else of Solvent.
        self._deadline = float("inf")
        self._interrupted = False

    def _new_solver(self) -> Native:
        options = bitwuzla.Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, self._incremental)
        if self.mode:
            try:
                options.set(Option.BV_SOLVER, self.mode)
            except bitwuzla.BitwuzlaException as error:
                raise Unsupported(
                    f"bitwuzla has no mode {self.mode!r}; use bitblast, prop or preprop"
                ) from error
        solver = bitwuzla.Bitwuzla(self._terms, options)
        # Bitwuzla holds the global lock while it checks, except when it asks this function.
        solver.configure_terminator(self._must_stop)
        return solver

    def _must_stop(self) -> bool:
        return self._interrupted or time.monotonic() >= self._deadline

    @staticmethod
    def version() -> str:
        return str(bitwuzla.version())

    # --- terms -------------------------------------------------------------------------------

    def make_sort(self, code: SortCode) -> Native:
        match code:
            case ("Bool",):
                return self._terms.mk_bool_sort()
            case ("BitVec", width):
                return self._terms.mk_bv_sort(width)
            case ("Float", ebits, sbits):
                if (ebits, sbits) not in COMMON_FLOATS:
                    raise Unsupported(
                        f"bitwuzla has no floats of format ({ebits}, {sbits}); use z3"
                    )
                return self._terms.mk_fp_sort(ebits, sbits)
            case ("Array", index, element):
                if index[0] == "Array":
                    raise Unsupported("bitwuzla has no arrays with arrays as indices; use z3")
                return self._terms.mk_array_sort(self.sort(index), self.sort(element))
        # It has uninterpreted sorts, but answers unknown on the simplest formulas about them.
        raise Unsupported(f"bitwuzla has no theory of {code[0]}; use z3 or cvc5")

    def make_constant(self, name: str, sort: Native) -> Native:
        return self._terms.mk_const(sort, name)

    def make_literal(self, code: SortCode, value: Data) -> Native:
        match code:
            case ("Bool",):
                return self._terms.mk_true() if value else self._terms.mk_false()
            case ("BitVec", _):
                return self._terms.mk_bv_value(self.sort(code), value)
            case ("Float", ebits, sbits):
                bits = self._terms.mk_bv_value(self.sort(("BitVec", ebits + sbits)), value)
                return self._terms.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], [ebits, sbits])
        raise Unsupported(f"bitwuzla has no theory of {code[0]}; use z3 or cvc5")

    def declare(self, name: str, domain: list[Native], range_: Native) -> Native:
        return self._terms.mk_const(self._terms.mk_fun_sort(domain, range_), name)

    def make_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        make = self._terms.mk_term
        kind = _KINDS.get(name)
        if name == "ite":
            params = ()
        if kind is not None:
            if params:
                indices = list(params)
                return lambda *args: make(kind, list(args), indices)
            return lambda *args: make(kind, list(args))
        if name in _ROUNDED:
            kind = _ROUNDED[name]
            rounding = self._rounding(params[0])
            return lambda *args: make(kind, [rounding, *args])
        if name in _CONVERSIONS:
            kind = _CONVERSIONS[name]
            rounding = self._rounding(params[0])
            target = [params[1]] if isinstance(params[1], int) else list(params[1][1:])
            return lambda a: make(kind, [rounding, a], target)
        if name == "to_fp_from_bits":
            ebits, sbits = params[0][1:]
            return lambda a: make(Kind.FP_TO_FP_FROM_BV, [a], [ebits, sbits])
        if name == "const_array":
            sort = self.sort(params[0])
            return lambda value: self._terms.mk_const_array(sort, value)
        if name == "apply":
            return self._apply(params[0])
        if name in ("forall", "exists"):
            return self._quantifier(Kind.FORALL if name == "forall" else Kind.EXISTS, params[0])
        raise Unsupported(f"bitwuzla has no operator {name}; use z3 or cvc5")

    def _rounding(self, mode: str) -> Native:
        return self._terms.mk_rm_value(getattr(bitwuzla.RoundingMode, mode))

    def _apply(self, function: Native) -> Builder:
        name = function[0]
        declared = self.function(*function)
        make = self._terms.mk_term
        return lambda *args: self.applied(name, args, make(Kind.APPLY, [declared, *args]))

    def _quantifier(self, kind: Native, bound: Sequence[int]) -> Builder:
        constants = [self.nodes[number] for number in bound]
        variables = [
            self._terms.mk_var(constant.sort(), constant.symbol()) for constant in constants
        ]
        replacements = dict(zip(constants, variables, strict=True))

        def build(body: Native, *_: Native) -> Native:
            renamed = self._terms.substitute_term(body, replacements)
            return self._terms.mk_term(kind, [*variables, renamed])

        return build

    # --- assertions and answers --------------------------------------------------------------

    def push(self) -> None:
        self._frames.append([])
        if self._incremental:
            self._solver.push(1)

    def pop(self, count: int) -> None:
        del self._frames[-count:]
        if self._incremental:
            self._solver.pop(count)

    def assert_formula(self, number: int) -> None:
        self._frames[-1].append(self.nodes[number])
        if self._incremental:
            self._solver.assert_formula(self.nodes[number])

    def _prepare(self, *, incremental: bool) -> None:
        """A new solver with all that is asserted, for one check or for many."""
        self._incremental = incremental
        self._solver = self._new_solver()
        for place, frame in enumerate(self._frames):
            if place and incremental:
                self._solver.push(1)
            for term in frame:
                self._solver.assert_formula(term)

    def check(self, assumptions: Sequence[int], seconds: float | None) -> tuple[str, str]:
        self._deadline = float("inf") if seconds is None else time.monotonic() + seconds
        self._interrupted = False
        self._assumptions = [(number, self.nodes[number]) for number in assumptions]
        if not self._incremental:
            self._prepare(incremental=self._checked or bool(assumptions))
        self._checked = True
        result = self._solver.check_sat(*(term for _, term in self._assumptions))
        if result == Result.UNKNOWN:
            if self._interrupted:
                return "unknown", "interrupted"
            late = time.monotonic() >= self._deadline
            return "unknown", "timeout" if late else "incomplete"
        return _STATUS[result], ""

    def core(self) -> list[int]:
        return [
            number for number, term in self._assumptions if self._solver.is_unsat_assumption(term)
        ]

    def interrupt(self) -> None:
        self._interrupted = True

    def model(self, wanted: Sequence[int] | None = None) -> ModelData:
        values = [
            (number, self._value_of(self.nodes[number], code))
            for number, code in self.asked(wanted)
        ]
        functions = []
        for name, (_, domain, range_) in self.functions.items() if wanted is None else ():
            table = self.applied_values(name, domain, range_, self._value_of)
            functions.append((name, (_default(range_), table)))
        return values, functions, []

    def _value_of(self, term: Native, code: SortCode) -> Data:
        return self._value(self._solver.get_value(term), code)

    def _value(self, value: Native, code: SortCode) -> Data:
        match code[0]:
            case "Bool":
                return bool(value.value())
            case "BitVec":
                return int(value.value(2), 2)
            case "Float":
                return int(value.value(2, False), 2)
            case "Array":
                return self._array_value(value, code)
        raise Unsupported(f"bitwuzla gives no values of sort {code[0]}")

    def _array_value(self, value: Native, code: SortCode) -> Data:
        _, index, element = code
        items: list[tuple[Data, Data]] = []
        while value.kind() == Kind.ARRAY_STORE:
            array, at, stored = value.children()
            items.append((self._value(at, index), self._value(stored, element)))
            value = array
        if value.kind() != Kind.CONST_ARRAY:
            raise Unsupported(f"bitwuzla gives an array that is no table: {value.str()}")
        return (self._value(value.children()[0], element), items)

    def statistics(self) -> Figures:
        return dict(self._solver.statistics())


def _default(code: SortCode) -> Data:
    """Any value of a sort, as plain data, for the arguments that no application has."""
    match code[0]:
        case "Bool":
            return False
        case "Array":
            return (_default(code[2]), [])
    return 0
