"""Symbolic terms: sorts, constants, operators, models.

>>> from solvent.terms import Int, and_, evaluate
>>> x, y = Int("x"), Int("y")
>>> formula = and_(x + y == 10, x > y)
>>> evaluate(formula, {x: 6, y: 4})
True
"""

from solvent.terms.arrays import ArrayTerm, const_array, select, store
from solvent.terms.bitvectors import (
    BitVecTerm,
    ashr,
    bv_to_int,
    bvcomp,
    concat,
    extract,
    int_to_bv,
    lshr,
    nand,
    neg_overflow,
    nor,
    redand,
    redor,
    repeat,
    rotate_left,
    rotate_right,
    sadd_overflow,
    sdiv,
    sdiv_overflow,
    sge,
    sgt,
    shl,
    sign_extend,
    sle,
    slt,
    smod,
    smul_overflow,
    srem,
    ssub_overflow,
    uadd_overflow,
    udiv,
    uge,
    ugt,
    ule,
    ult,
    umul_overflow,
    urem,
    usub_overflow,
    xnor,
    zero_extend,
)
from solvent.terms.booleans import (
    BoolTerm,
    and_,
    distinct,
    eq,
    iff,
    implies,
    ite,
    not_,
    or_,
    xor,
)
from solvent.terms.floats import (
    Float16,
    Float32,
    Float64,
    FloatTerm,
    float_from_bits,
    float_to_bits,
    float_to_int,
    float_to_real,
    fma,
    fp,
    fp_add,
    fp_div,
    fp_eq,
    fp_max,
    fp_min,
    fp_mul,
    fp_rem,
    fp_sub,
    fp_to_sbv,
    fp_to_ubv,
    is_finite,
    is_infinite,
    is_nan,
    is_negative,
    is_normal,
    is_positive,
    is_subnormal,
    is_zero,
    round_to_integral,
    sbv_to_float,
    sqrt,
    to_float,
    ubv_to_float,
)
from solvent.terms.functions import Function, FunctionSymbol, UninterpretedTerm
from solvent.terms.graph import applied_functions, constants, size, substitute
from solvent.terms.integers import (
    IntTerm,
    bit_and,
    bit_or,
    bit_xor,
    div,
    mod,
    shift_left,
    shift_right,
    to_real,
)
from solvent.terms.memory import live_terms, sweep
from solvent.terms.model import Model, evaluate
from solvent.terms.patterns import regex
from solvent.terms.printing import pretty
from solvent.terms.quantifiers import exists, forall
from solvent.terms.reals import RealTerm, floor, is_int
from solvent.terms.regexes import (
    RegexTerm,
    in_re,
    re_all,
    re_allchar,
    re_complement,
    re_concat,
    re_diff,
    re_intersect,
    re_loop,
    re_none,
    re_opt,
    re_plus,
    re_power,
    re_range,
    re_star,
    re_union,
    replace_re,
    replace_re_all,
    to_re,
)
from solvent.terms.softfloat import FP, RoundingMode
from solvent.terms.sorts import (
    Array,
    ArraySort,
    BitVec,
    BitVecSort,
    Bool,
    Float,
    FloatSort,
    Int,
    Real,
    Regex,
    Sort,
    Str,
    UninterpretedSort,
    uninterpreted_sort,
)
from solvent.terms.strings import (
    StringTerm,
    char_at,
    contains,
    from_code,
    index_of,
    int_to_str,
    is_digit,
    length,
    prefix_of,
    replace_all,
    replace_first,
    str_concat,
    str_index,
    str_slice,
    str_to_int,
    substr,
    suffix_of,
    to_code,
)
from solvent.terms.term import Term
from solvent.terms.values import BV, ArrayValue, Element, FunctionValue, bv, sort_of
