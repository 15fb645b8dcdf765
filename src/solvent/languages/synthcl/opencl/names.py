"""Names that mean something in OpenCL C already, and so cannot be those of a translation."""

from __future__ import annotations

_KEYWORDS = """
auto bool break case char complex const constant continue default do double else enum event_t
extern false float for generic global goto half if image1d_t image2d_t image3d_t imaginary inline
int kernel local long pipe private ptrdiff_t quad read_only read_write register restrict return
sampler_t short signed size_t sizeof static struct switch true typedef uchar uint ulong union
unsigned ushort void volatile while write_only INT_MIN INT_MAX NULL NAN INFINITY main
"""
# What translations call, which a local variable of this name would hide.
CALLED = frozenset({"abs", "all", "any", "dot", "fabs", "max", "min", "select"})
_FUNCTIONS = """
abs_diff acos acosh acospi add_sat asin asinh asinpi atan atan2 atan2pi atanh atanpi barrier
bitselect cbrt ceil clamp clz copysign cos cosh cospi cross degrees distance erf erfc exp exp10
exp2 expm1 fast_distance fast_length fast_normalize fdim fma fmax fmin fmod fract frexp hadd hypot
ilogb isequal isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan
isnormal isnotequal isordered isunordered ldexp length lgamma lgamma_r log log10 log1p log2 logb
mad mad24 mad_hi mad_sat maxmag mem_fence minmag mix modf mul24 mul_hi nan nextafter normalize
popcount pow pown powr prefetch printf radians read_mem_fence remainder remquo rhadd rint rootn
rotate round rsqrt shuffle shuffle2 sign signbit sin sincos sinh sinpi smoothstep sqrt step
sub_sat tan tanh tanpi tgamma trunc upsample vec_step wait_group_events write_mem_fence
"""
KEYWORDS = frozenset(_KEYWORDS.split())
FUNCTIONS = CALLED | frozenset(_FUNCTIONS.split())
# Also those of helpers of translations.
PREFIXES = ("as_", "convert_", "get_", "dot_", "floor_", "quotient", "remainder", "shift_")
FUNCTION_PREFIXES = (*PREFIXES, "atom_", "atomic_", "half_", "native_", "vload", "vstore")
VECTORS = frozenset(
    f"{base}{width}"
    for base in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float")
    for width in (2, 3, 4, 8, 16)
) | frozenset(f"{base}{width}" for base in ("double", "half") for width in (2, 3, 4, 8, 16))


def is_taken(name: str, is_function: bool = False) -> bool:
    """Whether a variable, or a function, cannot have a name.

    >>> is_taken("kernel"), is_taken("step"), is_taken("step", is_function=True)
    (True, False, True)
    """
    functions = FUNCTIONS if is_function else CALLED
    return name in KEYWORDS | VECTORS | functions or _has_prefix(name, is_function)


def _has_prefix(name: str, is_function: bool) -> bool:
    return name.startswith(FUNCTION_PREFIXES if is_function else PREFIXES)


def free(name: str, used: set[str], is_function: bool = False) -> str:
    """A name like this one that is free; it is used from now on.

    >>> free("half", set()), free("x", {"x"})
    ('half_', 'x_')
    """
    while name in used or is_taken(name, is_function):
        name = f"a_{name}" if _has_prefix(name, is_function) else f"{name}_"
    used.add(name)
    return name
