"""Small functions in OpenCL C for operations that C does differently from SynthCL."""

from __future__ import annotations

from solvent.languages.synthcl.types import Type, float_

TEMPLATES = {
    "floor_div": """
// The quotient rounded down.
int floor_div(int a, int b)
{
    if (b == -1)
        return -(uint)a;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
""",
    "floor_mod": """
// The remainder with the sign of the divisor.
int floor_mod(int a, int b)
{
    if (b == -1)
        return 0;
    int r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
""",
    "quotient": """
// The quotient rounded towards zero, also of INT_MIN and -1.
int quotient(int a, int b)
{
    return b == -1 ? (int)-(uint)a : a / b;
}
""",
    "remainder": """
// The remainder with the sign of the dividend, also of INT_MIN and -1.
int remainder_int(int a, int b)
{
    return b == -1 ? 0 : a % b;
}
""",
    "shift_left": """
// A shift by any number of bits.
uint shift_left(uint a, uint n)
{
    return n < 32 ? a << n : 0;
}
""",
    "shift_right": """
// A shift by any number of bits.
int shift_right(int a, uint n)
{
    return a >> min(n, 31u);
}
""",
}
VECTOR_TEMPLATES = {
    "quotient": """
// Quotients rounded towards zero, also of INT_MIN and -1.
intN quotientN(intN a, intN b)
{
    return select(a / select(b, (intN)(1), b == -1), as_intN(-as_uintN(a)), b == -1);
}
""",
    "remainder": """
// Remainders with the sign of the dividend, also of INT_MIN and -1.
intN remainderN(intN a, intN b)
{
    return select(a % select(b, (intN)(1), b == -1), (intN)(0), b == -1);
}
""",
    "shift_left": """
// Shifts by any numbers of bits.
uintN shift_leftN(uintN a, uintN n)
{
    return select(a << (n & 31u), (uintN)(0), n > 31u);
}
""",
    "shift_right": """
// Shifts by any numbers of bits.
intN shift_rightN(intN a, uintN n)
{
    return a >> as_intN(min(n, (uintN)(31)));
}
""",
}


def helper(name: str, of: Type) -> tuple[str, str]:
    """The name and the text of a helper for a type.

    >>> from solvent.languages.synthcl.types import int2, int_
    >>> print(helper("dot", int2)[1])
    // The sum of the products of components.
    uint dot_uint2(uint2 a, uint2 b)
    {
        uint2 c = a * b;
        return c.s0 + c.s1;
    }
    >>> helper("remainder", int_)[0], helper("remainder", int2)[0]
    ('remainder_int', 'remainder2')
    """
    if name == "dot":
        return _dot(of)
    if of.width > 1:
        text = (
            VECTOR_TEMPLATES[name]
            .replace("N", str(of.width))
            .replace(f"INT_MI{of.width}", "INT_MIN")
        )
        return f"{name}{of.width}", text.strip()
    # `remainder` alone is a function of OpenCL.
    return "remainder_int" if name == "remainder" else name, TEMPLATES[name].strip()


def _dot(of: Type) -> tuple[str, str]:
    base = "float" if of.base is float_ else "uint"
    vector = f"{base}{of.width}"
    total = " + ".join(f"c.s{place:x}" for place in range(of.width))
    return f"dot_{vector}", (
        f"// The sum of the products of components.\n{base} dot_{vector}({vector} a, {vector} b)\n"
        f"{{\n    {vector} c = a * b;\n    return {total};\n}}"
    )
