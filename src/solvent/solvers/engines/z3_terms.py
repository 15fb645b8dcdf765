"""Z3's terms, built through the C functions of its library.

Its Python operators are ten times slower; they are used for what is rare.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import z3

from solvent.solvers.engines.base import Builder, Engine, Native, Unsupported
from solvent.solvers.rows import Data, SortCode, plain_name
from solvent.terms.groups import pattern_groups

_Pointer = ctypes.c_void_p


def _c_function(name: str, result: Native, *arguments: Native) -> Callable[..., Native]:
    """A function of Z3's library with a prototype of ours: plain integers, no error checks."""
    original = getattr(z3.z3core, name).__defaults__[-1].f
    address = ctypes.cast(original, _Pointer).value
    assert address is not None
    return ctypes.CFUNCTYPE(result, *arguments)(address)


def _prototype(name: str, terms: int, numbers: int = 0) -> Callable[..., int | None]:
    """A C function of the context, some numbers and some terms."""
    return _c_function(name, _Pointer, _Pointer, *[ctypes.c_uint] * numbers, *[_Pointer] * terms)


_mk_string_symbol = _c_function("Z3_mk_string_symbol", _Pointer, _Pointer, ctypes.c_char_p)
_mk_const = _prototype("Z3_mk_const", 2)


def _ast(pointer: int) -> Native:
    """A pointer as the Python API wants it; its constructor does not set the value."""
    ast = z3.Ast.__new__(z3.Ast)
    ast.value = pointer
    return ast


_inc_ref = _c_function("Z3_inc_ref", None, _Pointer, _Pointer)
_dec_ref = _c_function("Z3_dec_ref", None, _Pointer, _Pointer)


# Operators with a function of their own for one or two arguments.
_DIRECT: dict[str, tuple[str, int]] = {
    "not": ("Z3_mk_not", 1),
    "=": ("Z3_mk_eq", 2),
    "-": ("Z3_mk_unary_minus", 1),
    "<=": ("Z3_mk_le", 2),
    "to_real": ("Z3_mk_int2real", 1),
    "to_int": ("Z3_mk_real2int", 1),
    "is_int": ("Z3_mk_is_int", 1),
    "bvadd": ("Z3_mk_bvadd", 2),
    "bvmul": ("Z3_mk_bvmul", 2),
    "bvneg": ("Z3_mk_bvneg", 1),
    "bvand": ("Z3_mk_bvand", 2),
    "bvor": ("Z3_mk_bvor", 2),
    "bvxor": ("Z3_mk_bvxor", 2),
    "bvnot": ("Z3_mk_bvnot", 1),
    "bvshl": ("Z3_mk_bvshl", 2),
    "bvlshr": ("Z3_mk_bvlshr", 2),
    "bvashr": ("Z3_mk_bvashr", 2),
    "bvudiv": ("Z3_mk_bvudiv", 2),
    "bvurem": ("Z3_mk_bvurem", 2),
    "bvsdiv": ("Z3_mk_bvsdiv", 2),
    "bvsrem": ("Z3_mk_bvsrem", 2),
    "bvsmod": ("Z3_mk_bvsmod", 2),
    "bvule": ("Z3_mk_bvule", 2),
    "bvsle": ("Z3_mk_bvsle", 2),
    "concat": ("Z3_mk_concat", 2),
    "select": ("Z3_mk_select", 2),
    "store": ("Z3_mk_store", 3),
    "str.len": ("Z3_mk_seq_length", 1),
    "str.<": ("Z3_mk_str_lt", 2),
    "str.<=": ("Z3_mk_str_le", 2),
    "str.at": ("Z3_mk_seq_at", 2),
    "str.substr": ("Z3_mk_seq_extract", 3),
    "str.prefixof": ("Z3_mk_seq_prefix", 2),
    "str.suffixof": ("Z3_mk_seq_suffix", 2),
    "str.contains": ("Z3_mk_seq_contains", 2),
    "str.indexof": ("Z3_mk_seq_index", 3),
    "str.replace": ("Z3_mk_seq_replace", 3),
    "str.replace_all": ("Z3_mk_seq_replace_all", 3),
    "str.replace_re": ("Z3_mk_seq_replace_re", 3),
    "str.replace_re_all": ("Z3_mk_seq_replace_re_all", 3),
    "str.to_int": ("Z3_mk_str_to_int", 1),
    "str.from_int": ("Z3_mk_int_to_str", 1),
    "str.to_code": ("Z3_mk_string_to_code", 1),
    "str.from_code": ("Z3_mk_string_from_code", 1),
    "str.to_re": ("Z3_mk_seq_to_re", 1),
    "str.in_re": ("Z3_mk_seq_in_re", 2),
    "re.*": ("Z3_mk_re_star", 1),
    "re.+": ("Z3_mk_re_plus", 1),
    "re.opt": ("Z3_mk_re_option", 1),
    "re.comp": ("Z3_mk_re_complement", 1),
    "re.diff": ("Z3_mk_re_diff", 2),
    "re.range": ("Z3_mk_re_range", 2),
    "fp.neg": ("Z3_mk_fpa_neg", 1),
    "fp.abs": ("Z3_mk_fpa_abs", 1),
    "fp.rem": ("Z3_mk_fpa_rem", 2),
    "fp.leq": ("Z3_mk_fpa_leq", 2),
    "fp.lt": ("Z3_mk_fpa_lt", 2),
    "fp.eq": ("Z3_mk_fpa_eq", 2),
    "fp.isNormal": ("Z3_mk_fpa_is_normal", 1),
    "fp.isSubnormal": ("Z3_mk_fpa_is_subnormal", 1),
    "fp.isZero": ("Z3_mk_fpa_is_zero", 1),
    "fp.isInfinite": ("Z3_mk_fpa_is_infinite", 1),
    "fp.isNaN": ("Z3_mk_fpa_is_nan", 1),
    "fp.isNegative": ("Z3_mk_fpa_is_negative", 1),
    "fp.isPositive": ("Z3_mk_fpa_is_positive", 1),
    "fp.to_real": ("Z3_mk_fpa_to_real", 1),
    "fp.min": ("Z3_mk_fpa_min", 2),
    "fp.max": ("Z3_mk_fpa_max", 2),
}
# Functions that take the number of their arguments and an array of them.
_VARIADIC: dict[str, str] = {
    "and": "Z3_mk_and",
    "or": "Z3_mk_or",
    "+": "Z3_mk_add",
    "*": "Z3_mk_mul",
    "str.++": "Z3_mk_seq_concat",
    "re.++": "Z3_mk_re_concat",
    "re.union": "Z3_mk_re_union",
    "re.inter": "Z3_mk_re_intersect",
}
# Rounded float operators: the rounding mode comes first.
_ROUNDED: dict[str, tuple[str, int]] = {
    "fp.add": ("Z3_mk_fpa_add", 2),
    "fp.sub": ("Z3_mk_fpa_sub", 2),
    "fp.mul": ("Z3_mk_fpa_mul", 2),
    "fp.div": ("Z3_mk_fpa_div", 2),
    "fp.fma": ("Z3_mk_fpa_fma", 3),
    "fp.sqrt": ("Z3_mk_fpa_sqrt", 1),
    "fp.roundToIntegral": ("Z3_mk_fpa_round_to_integral", 1),
}
_ROUNDING_MODES = {
    "RNE": "round_nearest_ties_to_even",
    "RNA": "round_nearest_ties_to_away",
    "RTP": "round_toward_positive",
    "RTN": "round_toward_negative",
    "RTZ": "round_toward_zero",
}


class Z3Terms(Engine):
    """The part of the engine that builds terms: a node is a pointer into a context of Z3."""

    def __init__(self, mode: str = "") -> None:
        super().__init__(mode)
        self.context = z3.Context()
        self._ref = self.context.ref().value
        # The terms that we keep alive.  A term that is an argument of another needs no reference of
        # ours, and must have none: Z3 would take it for shared and flatten sums quadratically.
        self._held: set[int] = set()

    def _hold(self, pointer: int | None) -> int:
        if pointer is None:
            code = z3.z3core.Z3_get_error_code(self.context.ref())
            message = z3.z3core.Z3_get_error_msg(self.context.ref(), code)
            raise Unsupported(f"z3 refuses a term: {message}")
        if pointer not in self._held:
            self._held.add(pointer)
            _inc_ref(self._ref, pointer)
        return pointer

    def _release(self, *pointers: int) -> None:
        for pointer in pointers:
            if pointer in self._held:
                self._held.remove(pointer)
                _dec_ref(self._ref, pointer)

    def wrap(self, number: int) -> Native:
        return z3.z3._to_expr_ref(_ast(self.nodes[number]), self.context)

    def _adopt(self, expression: Native) -> int:
        return self._hold(expression.as_ast().value)

    def make_sort(self, code: SortCode) -> Native:
        match code:
            case ("Bool",):
                return z3.BoolSort(self.context)
            case ("Int",):
                return z3.IntSort(self.context)
            case ("Real",):
                return z3.RealSort(self.context)
            case ("Str",):
                return z3.StringSort(self.context)
            case ("Regex",):
                return z3.ReSort(z3.StringSort(self.context))
            case ("BitVec", width):
                return z3.BitVecSort(width, self.context)
            case ("Float", ebits, sbits):
                return z3.FPSort(ebits, sbits, self.context)
            case ("Array", index, element):
                return z3.ArraySort(self.sort(index), self.sort(element))
            case ("Uninterpreted", name):
                return z3.DeclareSort(plain_name(name), self.context)
        raise Unsupported(f"z3 has no sort {code[0]}")

    def make_constant(self, name: str, sort: Native) -> int:
        symbol = _mk_string_symbol(self._ref, name.encode())
        return self._hold(_mk_const(self._ref, symbol, sort.ast.value))

    def make_literal(self, code: SortCode, value: Data) -> int:
        ctx = self.context
        match code:
            case ("Bool",):
                return self._adopt(z3.BoolVal(value, ctx))
            case ("Int",):
                return self._adopt(z3.IntVal(str(value), ctx))
            case ("Real",):
                return self._adopt(z3.RealVal(f"{value[0]}/{value[1]}", ctx))
            case ("BitVec", width):
                return self._adopt(z3.BitVecVal(value, width, ctx))
            case ("Str",):
                return self._adopt(z3.StringVal(_escaped(value), ctx))
            case ("Float", ebits, sbits):
                bits = z3.BitVecVal(value, ebits + sbits, ctx)
                return self._adopt(z3.simplify(z3.fpBVToFP(bits, self.sort(code), ctx)))
        raise Unsupported(f"z3 has no literals of sort {code[0]}")

    def declare(self, name: str, domain: list[Native], range_: Native) -> Native:
        return z3.Function(name, *domain, range_)

    def make_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        if name in _DIRECT:
            function, count = _DIRECT[name]
            return self._direct(_prototype(function, count), count)
        if name == "ite":
            return self._direct(_prototype("Z3_mk_ite", 3), 3)
        if name in _VARIADIC:
            return self._variadic(_VARIADIC[name])
        if name in _ROUNDED:
            function, count = _ROUNDED[name]
            make = _prototype(function, count + 1)
            rounding = self._rounding(params[0])
            return lambda *args: self._hold(make(self._ref, rounding, *args))
        return self.special_builder(name, params)

    def _direct(self, make: Callable[..., int | None], count: int) -> Builder:
        ref, hold, release, held = self._ref, self._hold, self._release, self._held

        def build(*args: int) -> int:
            pointer = hold(make(ref, *args))
            release(*args)
            return pointer

        def build_two(a: int, b: int) -> int:
            pointer = make(ref, a, b)
            if pointer is None or pointer in held:
                return hold(pointer)
            held.add(pointer)
            _inc_ref(ref, pointer)
            if a in held:
                held.remove(a)
                _dec_ref(ref, a)
            if b in held:
                held.remove(b)
                _dec_ref(ref, b)
            return pointer

        return build_two if count == 2 else build

    def _variadic(self, name: str) -> Builder:
        pair_pointer = ctypes.POINTER(_Pointer * 2)
        make = _c_function(name, _Pointer, _Pointer, ctypes.c_uint, pair_pointer)
        pair = (_Pointer * 2)()
        reference = ctypes.byref(pair)

        def make_two(ref: int, a: int, b: int) -> int | None:
            pair[0] = a
            pair[1] = b
            return make(ref, 2, reference)  # type: ignore[no-any-return]

        return self._direct(make_two, 2)

    def _rounding(self, mode: str) -> int:
        make = _prototype(f"Z3_mk_fpa_{_ROUNDING_MODES[mode]}", 0)
        return self._hold(make(self._ref))

    def _python(self, make: Callable[..., Native]) -> Builder:
        """A builder over the expressions of the Python API, for what is rare."""

        def build(*args: int) -> int:
            wrapped = [z3.z3._to_expr_ref(_ast(arg), self.context) for arg in args]
            return self._adopt(make(*wrapped))

        return build

    # Division by zero is fixed in Solvent's theory and free in Z3's.
    def _build_div(self) -> Builder:
        return self._python(lambda a, b: _guarded(b, z3.IntVal(0, self.context), a / b))

    def _build_mod(self) -> Builder:
        return self._python(lambda a, b: _guarded(b, a, a % b))

    def _build_rdiv(self) -> Builder:
        return self._python(lambda a, b: _guarded(b, z3.RealVal(0, self.context), a / b))

    def _build_extract(self, high: int, low: int) -> Builder:
        make = _prototype("Z3_mk_extract", 1, 2)
        return lambda a: self._hold(make(self._ref, high, low, a))

    def _build_zero_extend(self, count: int) -> Builder:
        make = _prototype("Z3_mk_zero_ext", 1, 1)
        return lambda a: self._hold(make(self._ref, count, a))

    def _build_sign_extend(self, count: int) -> Builder:
        make = _prototype("Z3_mk_sign_ext", 1, 1)
        return lambda a: self._hold(make(self._ref, count, a))

    def _build_ubv_to_int(self) -> Builder:
        return self._python(lambda a: z3.BV2Int(a, False))

    def _build_int_to_bv(self, width: int) -> Builder:
        return self._python(lambda a: z3.Int2BV(a, width))

    def _build_const_array(self, code: SortCode) -> Builder:
        index = self.sort(code[1])
        return self._python(lambda a: z3.K(index, a))

    def _build_apply(self, function: Native) -> Builder:
        declared = self.function(*function)
        return self._python(declared)

    def _build_forall(self, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        return self._quantifier(z3.ForAll, bound, sizes)

    def _build_exists(self, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        return self._quantifier(z3.Exists, bound, sizes)

    def _quantifier(self, make: Native, bound: Sequence[int], sizes: Sequence[int]) -> Builder:
        variables = [self.wrap(number) for number in bound]

        def build(body: Native, *terms: Native) -> Native:
            patterns = [z3.MultiPattern(*group) for group in pattern_groups(sizes, terms)]
            return make(variables, body, patterns=patterns)

        return self._python(build)

    def _build_to_fp_from_bits(self, code: SortCode) -> Builder:
        return self._python(lambda a: z3.fpBVToFP(a, self.sort(code), self.context))

    def _build_to_fp_from_float(self, mode: str, code: SortCode) -> Builder:
        return self._python(
            lambda a: z3.fpFPToFP(self._rounding_mode(mode), a, self.sort(code), self.context)
        )

    def _build_to_fp_from_real(self, mode: str, code: SortCode) -> Builder:
        return self._python(
            lambda a: z3.fpRealToFP(self._rounding_mode(mode), a, self.sort(code), self.context)
        )

    def _build_to_fp_from_signed(self, mode: str, code: SortCode) -> Builder:
        return self._python(
            lambda a: z3.fpSignedToFP(self._rounding_mode(mode), a, self.sort(code), self.context)
        )

    def _build_to_fp_unsigned(self, mode: str, code: SortCode) -> Builder:
        return self._python(
            lambda a: z3.fpUnsignedToFP(self._rounding_mode(mode), a, self.sort(code), self.context)
        )

    def _build_fp_to_ubv(self, mode: str, width: int) -> Builder:
        sort = self.sort(("BitVec", width))
        return self._python(lambda a: z3.fpToUBV(self._rounding_mode(mode), a, sort, self.context))

    def _build_fp_to_sbv(self, mode: str, width: int) -> Builder:
        sort = self.sort(("BitVec", width))
        return self._python(lambda a: z3.fpToSBV(self._rounding_mode(mode), a, sort, self.context))

    def _rounding_mode(self, mode: str) -> Native:
        return z3.z3._to_expr_ref(_ast(self._rounding(mode)), self.context)

    def _build_str_is_digit(self) -> Builder:
        def is_digit(a: Native) -> Native:
            return z3.And(
                z3.Length(a) == 1,
                z3.StringVal("0", self.context) <= a,
                a <= z3.StringVal("9", self.context),
            )

        return self._python(is_digit)

    def _build_re_none(self) -> Builder:
        return lambda: self._adopt(z3.Empty(self.sort(("Regex",))))

    def _build_re_all(self) -> Builder:
        return lambda: self._adopt(z3.Full(self.sort(("Regex",))))

    def _build_re_allchar(self) -> Builder:
        return lambda: self._adopt(z3.AllChar(self.sort(("Regex",)), self.context))

    def _build_re_power(self, count: int) -> Builder:
        return self._build_re_loop(count, count)

    def _build_re_loop(self, low: int, high: int) -> Builder:
        if low > high:
            return self._python(lambda a: z3.Empty(self.sort(("Regex",))))
        # Z3 reads an upper bound of zero as no bound.
        if high == 0:
            return self._python(lambda a: z3.Re(z3.StringVal("", self.context)))
        low, high = self.machine_word(low), self.machine_word(high)
        return self._python(lambda a: z3.Loop(a, low, high))


def _guarded(divisor: Native, otherwise: Native, quotient: Native) -> Native:
    if z3.is_int_value(divisor) or z3.is_rational_value(divisor):
        zero = (
            divisor.as_fraction() == 0 if z3.is_rational_value(divisor) else divisor.as_long() == 0
        )
        return otherwise if zero else quotient
    return z3.If(divisor == 0, otherwise, quotient)


def _escaped(text: str) -> str:
    """Z3 reads backslash-u escapes in its string literals."""
    return "".join(
        c if c.isascii() and c != "\\" and c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text
    )
