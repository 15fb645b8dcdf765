"""cvc5, a second opinion on every theory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import cvc5
from cvc5 import Kind

from solvent.solvers.engines import cvc5_sygus
from solvent.solvers.engines.base import Builder, Engine, Native, OutOfMemory, Unsupported
from solvent.solvers.rows import Data, Figures, ModelData, SortCode, plain_name
from solvent.terms.groups import pattern_groups

_KINDS: dict[str, Native] = {
    "and": Kind.AND,
    "or": Kind.OR,
    "not": Kind.NOT,
    "=": Kind.EQUAL,
    "ite": Kind.ITE,
    "+": Kind.ADD,
    "*": Kind.MULT,
    "-": Kind.NEG,
    "<=": Kind.LEQ,
    "to_real": Kind.TO_REAL,
    "to_int": Kind.TO_INTEGER,
    "is_int": Kind.IS_INTEGER,
    "bvadd": Kind.BITVECTOR_ADD,
    "bvmul": Kind.BITVECTOR_MULT,
    "bvneg": Kind.BITVECTOR_NEG,
    "bvand": Kind.BITVECTOR_AND,
    "bvor": Kind.BITVECTOR_OR,
    "bvxor": Kind.BITVECTOR_XOR,
    "bvnot": Kind.BITVECTOR_NOT,
    "bvshl": Kind.BITVECTOR_SHL,
    "bvlshr": Kind.BITVECTOR_LSHR,
    "bvashr": Kind.BITVECTOR_ASHR,
    "bvudiv": Kind.BITVECTOR_UDIV,
    "bvurem": Kind.BITVECTOR_UREM,
    "bvsdiv": Kind.BITVECTOR_SDIV,
    "bvsrem": Kind.BITVECTOR_SREM,
    "bvsmod": Kind.BITVECTOR_SMOD,
    "bvule": Kind.BITVECTOR_ULE,
    "bvsle": Kind.BITVECTOR_SLE,
    "concat": Kind.BITVECTOR_CONCAT,
    "extract": Kind.BITVECTOR_EXTRACT,
    "zero_extend": Kind.BITVECTOR_ZERO_EXTEND,
    "sign_extend": Kind.BITVECTOR_SIGN_EXTEND,
    "ubv_to_int": Kind.BITVECTOR_UBV_TO_INT,
    "int_to_bv": Kind.INT_TO_BITVECTOR,
    "select": Kind.SELECT,
    "store": Kind.STORE,
    "fp.neg": Kind.FLOATINGPOINT_NEG,
    "fp.abs": Kind.FLOATINGPOINT_ABS,
    "fp.rem": Kind.FLOATINGPOINT_REM,
    "fp.leq": Kind.FLOATINGPOINT_LEQ,
    "fp.lt": Kind.FLOATINGPOINT_LT,
    "fp.eq": Kind.FLOATINGPOINT_EQ,
    "fp.isNormal": Kind.FLOATINGPOINT_IS_NORMAL,
    "fp.isSubnormal": Kind.FLOATINGPOINT_IS_SUBNORMAL,
    "fp.isZero": Kind.FLOATINGPOINT_IS_ZERO,
    "fp.isInfinite": Kind.FLOATINGPOINT_IS_INF,
    "fp.isNaN": Kind.FLOATINGPOINT_IS_NAN,
    "fp.isNegative": Kind.FLOATINGPOINT_IS_NEG,
    "fp.isPositive": Kind.FLOATINGPOINT_IS_POS,
    "fp.to_real": Kind.FLOATINGPOINT_TO_REAL,
    "fp.min": Kind.FLOATINGPOINT_MIN,
    "fp.max": Kind.FLOATINGPOINT_MAX,
    "str.++": Kind.STRING_CONCAT,
    "str.len": Kind.STRING_LENGTH,
    "str.<": Kind.STRING_LT,
    "str.<=": Kind.STRING_LEQ,
    "str.at": Kind.STRING_CHARAT,
    "str.substr": Kind.STRING_SUBSTR,
    "str.prefixof": Kind.STRING_PREFIX,
    "str.suffixof": Kind.STRING_SUFFIX,
    "str.contains": Kind.STRING_CONTAINS,
    "str.indexof": Kind.STRING_INDEXOF,
    "str.replace": Kind.STRING_REPLACE,
    "str.replace_all": Kind.STRING_REPLACE_ALL,
    "str.replace_re": Kind.STRING_REPLACE_RE,
    "str.replace_re_all": Kind.STRING_REPLACE_RE_ALL,
    "str.is_digit": Kind.STRING_IS_DIGIT,
    "str.to_code": Kind.STRING_TO_CODE,
    "str.from_code": Kind.STRING_FROM_CODE,
    "str.to_int": Kind.STRING_TO_INT,
    "str.from_int": Kind.STRING_FROM_INT,
    "str.in_re": Kind.STRING_IN_REGEXP,
    "str.to_re": Kind.STRING_TO_REGEXP,
    "re.++": Kind.REGEXP_CONCAT,
    "re.union": Kind.REGEXP_UNION,
    "re.inter": Kind.REGEXP_INTER,
    "re.*": Kind.REGEXP_STAR,
    "re.+": Kind.REGEXP_PLUS,
    "re.opt": Kind.REGEXP_OPT,
    "re.comp": Kind.REGEXP_COMPLEMENT,
    "re.diff": Kind.REGEXP_DIFF,
    "re.range": Kind.REGEXP_RANGE,
    "re.^": Kind.REGEXP_REPEAT,
    "re.loop": Kind.REGEXP_LOOP,
}
_ROUNDED: dict[str, Native] = {
    "fp.add": Kind.FLOATINGPOINT_ADD,
    "fp.sub": Kind.FLOATINGPOINT_SUB,
    "fp.mul": Kind.FLOATINGPOINT_MULT,
    "fp.div": Kind.FLOATINGPOINT_DIV,
    "fp.fma": Kind.FLOATINGPOINT_FMA,
    "fp.sqrt": Kind.FLOATINGPOINT_SQRT,
    "fp.roundToIntegral": Kind.FLOATINGPOINT_RTI,
}
# Rounded conversions, whose parameters are the rounding mode and a sort or a width.
_CONVERSIONS: dict[str, Native] = {
    "to_fp_from_float": Kind.FLOATINGPOINT_TO_FP_FROM_FP,
    "to_fp_from_real": Kind.FLOATINGPOINT_TO_FP_FROM_REAL,
    "to_fp_from_signed": Kind.FLOATINGPOINT_TO_FP_FROM_SBV,
    "to_fp_unsigned": Kind.FLOATINGPOINT_TO_FP_FROM_UBV,
    "fp.to_ubv": Kind.FLOATINGPOINT_TO_UBV,
    "fp.to_sbv": Kind.FLOATINGPOINT_TO_SBV,
}
_ROUNDING_MODES = {
    "RNE": "ROUND_NEAREST_TIES_TO_EVEN",
    "RNA": "ROUND_NEAREST_TIES_TO_AWAY",
    "RTP": "ROUND_TOWARD_POSITIVE",
    "RTN": "ROUND_TOWARD_NEGATIVE",
    "RTZ": "ROUND_TOWARD_ZERO",
}


class Cvc5Engine(Engine):
    """A cvc5 solver; the mode is a logic."""

    name = "cvc5"

    def __init__(self, mode: str = "") -> None:
        super().__init__(mode)
        self._terms = cvc5.TermManager()
        self._solver = cvc5.Solver(self._terms)
        for option in ("incremental", "produce-models", "produce-unsat-assumptions", "strings-exp"):
            self._solver.setOption(option, "true")
        # Constant arrays and nonlinear arithmetic are full members of the language here.
        self._solver.setOption("arrays-exp", "true")
        try:
            self._solver.setLogic(mode or "ALL")
        except RuntimeError as error:
            raise Unsupported(f"cvc5 has no logic {mode!r}") from error
        self._assumptions: list[tuple[int, Native]] = []
        self._quantified = False

    @staticmethod
    def version() -> str:
        return str(cvc5.Solver(cvc5.TermManager()).getVersion())

    # --- terms -------------------------------------------------------------------------------

    def make_sort(self, code: SortCode) -> Native:
        terms = self._terms
        match code:
            case ("Bool",):
                return terms.getBooleanSort()
            case ("Int",):
                return terms.getIntegerSort()
            case ("Real",):
                return terms.getRealSort()
            case ("Str",):
                return terms.getStringSort()
            case ("Regex",):
                return terms.getRegExpSort()
            case ("BitVec", width):
                return terms.mkBitVectorSort(width)
            case ("Float", ebits, sbits):
                # Others are experimental there, and known to be wrong.
                if (ebits, sbits) not in ((8, 24), (11, 53)):
                    raise Unsupported(f"cvc5 has no floats of format ({ebits}, {sbits}); use z3")
                return terms.mkFloatingPointSort(ebits, sbits)
            case ("Array", index, element):
                return terms.mkArraySort(self.sort(index), self.sort(element))
            case ("Uninterpreted", name):
                return terms.mkUninterpretedSort(plain_name(name))
        raise Unsupported(f"cvc5 has no sort {code[0]}")

    def make_constant(self, name: str, sort: Native) -> Native:
        return self._terms.mkConst(sort, name)

    def make_literal(self, code: SortCode, value: Data) -> Native:
        terms = self._terms
        match code:
            case ("Bool",):
                return terms.mkBoolean(value)
            case ("Int",):
                return terms.mkInteger(str(value))
            case ("Real",):
                return terms.mkReal(f"{value[0]}/{value[1]}")
            case ("BitVec", width):
                return terms.mkBitVector(width, format(value, "x"), 16)
            case ("Str",):
                return terms.mkString(value)
            case ("Float", ebits, sbits):
                self.sort(code)
                bits = terms.mkBitVector(ebits + sbits, format(value, "x"), 16)
                return terms.mkFloatingPoint(ebits, sbits, bits)
        raise Unsupported(f"cvc5 has no literals of sort {code[0]}")

    def declare(self, name: str, domain: list[Native], range_: Native) -> Native:
        return self._terms.mkConst(self._terms.mkFunctionSort(domain, range_), name)

    def make_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        make = self._terms.mkTerm
        kind = _KINDS.get(name)
        if name == "ite":
            params = ()
        if kind is not None:
            if params:
                op = self._terms.mkOp(kind, *map(self.machine_word, params))
                return lambda *args: make(op, *args)
            return lambda *args: make(kind, *args)
        if name in _ROUNDED:
            kind = _ROUNDED[name]
            rounding = self._rounding(params[0])
            return lambda *args: make(kind, rounding, *args)
        if name in _CONVERSIONS:
            rounding = self._rounding(params[0])
            target = (params[1],) if isinstance(params[1], int) else params[1][1:]
            op = self._terms.mkOp(_CONVERSIONS[name], *target)
            return lambda a: make(op, rounding, a)
        if name == "to_fp_from_bits":
            op = self._terms.mkOp(Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV, *params[0][1:])
            return lambda a: make(op, a)
        return self.special_builder(name, params)

    def _rounding(self, mode: str) -> Native:
        return self._terms.mkRoundingMode(getattr(cvc5.RoundingMode, _ROUNDING_MODES[mode]))

    # Division by zero is fixed in Solvent's theory and free in cvc5's.
    def _build_div(self) -> Builder:
        return self._division(Kind.INTS_DIVISION, lambda a: self._terms.mkInteger(0))

    def _build_mod(self) -> Builder:
        return self._division(Kind.INTS_MODULUS, lambda a: a)

    def _build_rdiv(self) -> Builder:
        return self._division(Kind.DIVISION, lambda a: self._terms.mkReal(0))

    def _division(self, kind: Native, otherwise: Callable[[Native], Native]) -> Builder:
        make = self._terms.mkTerm

        def build(a: Native, b: Native) -> Native:
            quotient = make(kind, a, b)
            if b.isIntegerValue() or b.isRealValue():
                return otherwise(a) if Fraction(str(b.toPythonObj())) == 0 else quotient
            zero = self._terms.mkInteger(0) if b.getSort().isInteger() else self._terms.mkReal(0)
            return make(Kind.ITE, make(Kind.EQUAL, b, zero), otherwise(a), quotient)

        return build

    def _build_const_array(self, code: SortCode) -> Builder:
        sort = self.sort(code)

        def build(value: Native) -> Native:
            try:
                return self._terms.mkConstArray(sort, value)
            except RuntimeError as error:
                message = "cvc5 has constant arrays of concrete elements only; use z3"
                raise Unsupported(message) from error

        return build

    def _build_apply(self, function: Native) -> Builder:
        name = function[0]
        declared = self.function(*function)
        make = self._terms.mkTerm
        return lambda *args: self.applied(name, args, make(Kind.APPLY_UF, declared, *args))

    def _build_forall(self, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        return self._quantifier(Kind.FORALL, bound, sizes)

    def _build_exists(self, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        return self._quantifier(Kind.EXISTS, bound, sizes)

    def _quantifier(self, kind: Native, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        terms = self._terms
        constants = [self.nodes[number] for number in bound]
        self._quantified = True
        variables = [
            terms.mkVar(constant.getSort(), constant.getSymbol()) for constant in constants
        ]

        def build(body: Native, *patterns: Native) -> Native:
            listed = terms.mkTerm(Kind.VARIABLE_LIST, *variables)
            parts = [listed, body.substitute(constants, variables)]
            groups = [
                terms.mkTerm(
                    Kind.INST_PATTERN, *(term.substitute(constants, variables) for term in group)
                )
                for group in pattern_groups(sizes, patterns)
            ]
            if groups:
                parts.append(terms.mkTerm(Kind.INST_PATTERN_LIST, *groups))
            return terms.mkTerm(kind, *parts)

        return build

    def _build_re_none(self) -> Builder:
        return self._terms.mkRegexpNone  # type: ignore[no-any-return]

    def _build_re_all(self) -> Builder:
        return self._terms.mkRegexpAll  # type: ignore[no-any-return]

    def _build_re_allchar(self) -> Builder:
        return self._terms.mkRegexpAllchar  # type: ignore[no-any-return]

    # --- assertions and answers --------------------------------------------------------------

    def push(self) -> None:
        self._solver.push(1)

    def pop(self, count: int) -> None:
        self._solver.pop(count)

    def assert_formula(self, number: int) -> None:
        self._solver.assertFormula(self.nodes[number])

    def check(self, assumptions: Sequence[int], seconds: float | None) -> tuple[str, str]:
        # Zero means no limit here.
        self._solver.setOption(
            "tlimit-per", "0" if seconds is None else str(max(1, int(seconds * 1000)))
        )
        self._assumptions = [(number, self.nodes[number]) for number in assumptions]
        try:
            if assumptions:
                result = self._solver.checkSatAssuming(*(term for _, term in self._assumptions))
            else:
                result = self._solver.checkSat()
        except RuntimeError as error:
            if "not supported" in str(error):
                raise Unsupported(f"cvc5: {str(error).partition('.')[0]}") from error
            return "unknown", str(error)
        if result.isSat():
            return "sat", ""
        if result.isUnsat():
            return "unsat", ""
        explanation = str(result.getUnknownExplanation()).rpartition(".")[2].lower()
        if "memout" in explanation:
            raise OutOfMemory(explanation)
        return "unknown", explanation.replace("unknownexplanation.", "") or "incomplete"

    def core(self) -> list[int]:
        failed = set(self._solver.getUnsatAssumptions())
        return [number for number, term in self._assumptions if term in failed]

    def model(self, wanted: Sequence[int] | None = None) -> ModelData:
        inexact: list[int] = []
        values = []
        for number, code in self.asked(wanted):
            rounded: list[bool] = []
            value = self._solver.getValue(self.nodes[number])
            values.append((number, self._value(value, code, rounded)))
            if rounded:
                inexact.append(number)
        functions = [
            (name, self._function_value(name, declared, domain, range_))
            for name, (declared, domain, range_) in self.functions.items()
            if wanted is None
        ]
        return values, functions, inexact

    def _function_value(
        self, name: str, declared: Native, domain: tuple[SortCode, ...], range_: SortCode
    ) -> Data:
        """Read the nested choices of the lambda term that cvc5 gives for a function."""
        value = self._solver.getValue(declared)
        if value.getKind() != Kind.LAMBDA:
            raise Unsupported(f"cvc5 gives a function that is no table: {value}")
        variables = list(value[0])
        body = value[1]
        table: list[tuple[tuple[Data, ...], Data]] = []
        try:
            while body.getKind() == Kind.ITE:
                arguments = self._arguments(body[0], variables, domain)
                if arguments is None:
                    break
                table.append((arguments, self._value(body[1], range_, [])))
                body = body[2]
            return (self._value(body, range_, []), table)
        except RuntimeError as error:
            # A predicate may be a formula of its arguments, and a result a choice.
            applied = self.applied_values(name, domain, range_, self._value_of)
            if self._quantified or not applied:
                message = f"cvc5 gives a function that is no table: {value}"
                raise Unsupported(message) from error
            return (applied[0][1], applied)

    def _arguments(
        self, test: Native, variables: list[Native], domain: tuple[SortCode, ...]
    ) -> tuple[Native, ...] | None:
        found: dict[Native, Data] = {}
        parts = list(test) if test.getKind() == Kind.AND else [test]
        for part in parts:
            if part in variables:
                found[part] = True
            elif part.getKind() == Kind.NOT and part[0] in variables:
                found[part[0]] = False
            elif part.getKind() == Kind.EQUAL:
                left, right = part[0], part[1]
                variable, literal = (left, right) if left in variables else (right, left)
                if variable not in variables:
                    return None
                code = domain[variables.index(variable)]
                found[variable] = self._value(literal, code, [])
            else:
                return None
        if len(found) != len(variables):
            return None
        return tuple(found[variable] for variable in variables)

    def _value_of(self, term: Native, code: SortCode) -> Data:
        return self._value(self._solver.getValue(term), code, [])

    def _value(self, value: Native, code: SortCode, inexact: list[bool]) -> Data:
        match code[0]:
            case "Bool":
                return bool(value.getBooleanValue())
            case "Int":
                return int(value.getIntegerValue())
            case "Real":
                if not value.isRealValue():
                    inexact.append(True)
                    value = self._approximation(value)
                fraction = Fraction(str(value.getRealValue()))
                return (fraction.numerator, fraction.denominator)
            case "BitVec":
                return int(value.getBitVectorValue(16), 16)
            case "Str":
                return str(value.getStringValue())
            case "Float":
                bits = value.getFloatingPointValue()[2]
                return int(bits.getBitVectorValue(16), 16)
            case "Uninterpreted":
                return self.element(code, str(value.getUninterpretedSortValue()))
            case "Array":
                return self._array_value(value, code, inexact)
        raise Unsupported(f"cvc5 gives no values of sort {code[0]}")

    def _approximation(self, value: Native) -> Data:
        if value.isRealAlgebraicNumber():
            return value.getRealAlgebraicNumberLowerBound()
        raise Unsupported(f"cvc5 gives an irrational number: {value}")

    def _array_value(self, value: Native, code: SortCode, inexact: list[bool]) -> Data:
        _, index, element = code
        items: list[tuple[Data, Data]] = []
        while value.getKind() == Kind.STORE:
            at = self._value(value[1], index, inexact)
            items.append((at, self._value(value[2], element, inexact)))
            value = value[0]
        if not value.isConstArray():
            raise Unsupported(f"cvc5 gives an array that is no table: {value}")
        return (self._value(value.getConstArrayBase(), element, inexact), items)

    def synthesize(
        self, formula: int, inputs: Sequence[int], holes: Sequence[int], seconds: float | None
    ) -> tuple[str, str, list[Native]]:
        """Values of holes with which a formula holds for all inputs; the stack is not used."""
        nodes, codes = self.nodes, dict(self.constants)
        status, reason, found = cvc5_sygus.synthesize(
            self._terms,
            nodes[formula],
            [nodes[number] for number in inputs],
            [nodes[number] for number in holes],
            seconds,
        )
        values = [
            self._value(value, codes[number], [])
            for number, value in zip(holes, found, strict=False)
        ]
        return status, reason, values

    def interrupt(self) -> None:
        """cvc5 cannot be stopped: it holds Python's global lock, so its process is killed."""

    def statistics(self) -> Figures:
        return {
            name: figure["value"]
            for name, figure in self._solver.getStatistics().get().items()
            if not figure.get("defaulted", False)
        }
