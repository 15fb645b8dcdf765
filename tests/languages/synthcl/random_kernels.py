"""Random kernels, as source, for comparing Python with OpenCL.

All data is of 32 bits; the kernels never divide by zero and stay within their buffers.  In a kernel
with floats all numbers stay so small that floats are exact.
"""

from __future__ import annotations

import linecache
from itertools import count
from typing import Any

from hypothesis import strategies as st

from solvent.languages import synthcl
from solvent.languages.synthcl import Kernel

INSTANCES = 3
INPUTS = 5
HEAD = """
@kernel
def random_kernel(
    out: global_(int_), out4: global_(int4), marks: global_(bool_), marks4: global_(bool4),
    reals: global_(float_), reals4: global_(float4), n: read_only(int_), f: read_only(float_),
    size: int_, lanes: int4,
) -> None:
    i: int_ = get_global_id(0)
    n4: read_only(int4) = n.cast(int4)
    a: int_ = n[i]
    b: int_ = n[i + 1]
    u: int4 = n4[i]
    w: int4 = (n4 + 1)[i]
    d: int2 = u.yz
    p: bool_ = a < b
    m: bool4 = u < w
    x: float_ = f[i]
    y: float_ = f[i + 1]
    r: float4 = float4(x, y, 1, f[i + 2])
"""
TAIL = """
    out[i * 4] = a
    out[i * 4 + 1] = b
    (out + i * 4)[2] = d.x
    out[i * 4 + 3] = d.y
    out4[i * 2] = u
    out4[i * 2 + 1] = w
    marks[i] = p
    marks4[i] = m
    reals[i * 2] = x
    reals[i * 2 + 1] = y
    reals4[i] = r
"""
SINGLE = ("x", "y", "z", "w", "s0", "s3")
PAIRS = ("xy", "zw", "wx", "lo", "hi", "even", "odd", "s31")
QUADS = ("wzyx", "yxwz", "s3210", "xxyy")
VARIABLES = {
    "int": ("a", "b"), "int4": ("u", "w"), "int2": ("d",), "bool": ("p",), "bool4": ("m",),
    "float": ("x", "y"), "float4": ("r",),
}  # fmt: skip


class Writer:
    """Draws source text of a type; `floats` says whether numbers are small and floats are used."""

    def __init__(self, draw: Any, floats: bool) -> None:
        self.draw = draw
        self.floats = floats
        self.loops = 0

    def pick(self, *choices: str) -> str:
        found: str = self.draw(st.sampled_from(choices))
        return found

    def small(self) -> str:
        return str(self.draw(st.integers(-4, 9)))

    def expression(self, of: str, depth: int) -> str:
        """An expression; the leaves are variables."""
        if depth == 0:
            return self.leaf(of)
        found: str = getattr(self, f"of_{of}")(depth - 1)
        return found

    def leaf(self, of: str) -> str:
        name = self.pick(*VARIABLES[of])
        if of == "int":
            return self.pick(name, f"u.{self.pick(*SINGLE)}", "n[i + 2]", "lanes.z")
        if of == "int4":
            return self.pick(name, f"w.{self.pick(*QUADS)}", "n4[i]", "lanes")
        if of == "int2":
            return self.pick(name, f"u.{self.pick(*PAIRS)}")
        if of == "bool":
            return self.pick(name, f"m.{self.pick(*SINGLE)}")
        if of == "float":
            return self.pick(name, f"r.{self.pick(*SINGLE)}")
        return name

    def of_int(self, depth: int) -> str:
        e = lambda of="int": self.expression(of, depth)  # noqa: E731
        kinds = ["ring", "literal", "bits", "divide", "call", "choice", "vector", "unary"]
        kind = self.pick(*kinds, "float") if self.floats else self.pick(*kinds, "shift")
        match kind:
            case "ring":
                return f"({e()} {self.pick('+', '-', '*')} {e()})"
            case "literal":
                return f"({e()} {self.pick('+', '-', '*', '//', '%', '>>')} {self.positive()})"
            case "bits":
                return f"({e()} {self.pick('&', '|', '^')} {e()})"
            case "shift":
                amount = self.pick(e(), f"({e()} & 31)", "3", "31", "32", "40")
                return f"({e()} {self.pick('<<', '>>')} {amount})"
            case "divide":
                return self.pick(
                    f"({e()} // ({e()} | 1))", f"({e()} % ({e()} | 1))",
                    f"div({e()}, {e()} | 1)", f"rem({e()}, {e()} | 1)",
                    f"div({e()}, -7)", f"rem({e()}, 3)",
                )  # fmt: skip
            case "call":
                return self.pick(
                    f"minimum({e()}, {e()})", f"max({e()}, {e()}, {e()})", f"abs({e()})",
                    f"mixed({e()}, int4({e('int4')}))", f"clamp({e()}, {e()})",
                )  # fmt: skip
            case "choice":
                return self.pick(
                    f"({e()} if {self.truth(depth)} else {e()})",
                    f"select({e()}, {e()}, {self.truth(depth)})",
                )
            case "vector":
                return f"dot({e('int4')}, {e('int4')})"
            case "float":
                return f"int_({e('float')})"
        return f"({self.pick('-', '~')}{e()})"

    def positive(self) -> str:
        return str(self.draw(st.integers(1, 9)))

    def of_int4(self, depth: int) -> str:
        e = lambda of="int4": self.expression(of, depth)  # noqa: E731
        kinds = ["ring", "mixed", "call", "choice", "build", "unary", "truths"]
        kind = self.pick(*kinds) if self.floats else self.pick(*kinds, "shift")
        match kind:
            case "ring":
                return f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})"
            case "mixed":
                sides = (e(), self.pick(self.small(), e("int")))
                left, right = sides if self.draw(st.booleans()) else sides[::-1]
                return f"({left} {self.pick('+', '-', '*', '&')} {right})"
            case "shift":
                amount = self.pick(e(), e("int"), "5", "31", "33")
                return f"({e()} {self.pick('<<', '>>')} {amount})"
            case "call":
                return self.pick(
                    f"minimum({e()}, {e()})", f"maximum({e()}, {self.small()})", f"abs({e()})",
                    f"div({e()}, {e()} | 1)", f"rem({e()}, 5)", f"div({e()}, {e('int')} | 1)",
                )  # fmt: skip
            case "choice":
                return self.pick(
                    f"select({e()}, {e()}, {e('bool4')})",
                    f"select({e()}, {e()}, {self.truth(depth)})",
                    f"select({e()}, {self.small()}, {e('bool4')})",
                    f"(int4({e()}) if {self.truth(depth)} else {e()})",
                )  # fmt: skip
            case "build":
                return self.pick(
                    f"int4({e('int2')}, {e('int2')})", f"int4({e('int')})",
                    f"int4({e('int')}, {e('int2')}, {self.small()})", f"{e()}.{self.pick(*QUADS)}",
                )  # fmt: skip
            case "truths":
                return self.pick(
                    f"int4({e('bool4')})", f"({e('bool4')} * {e()})", f"(3 - {e('bool4')})"
                )
        return f"({self.pick('-', '~')}{e()})"

    def of_int2(self, depth: int) -> str:
        e = lambda of="int2": self.expression(of, depth)  # noqa: E731
        return self.pick(
            f"({e()} + {e()})", f"({e()} * {e('int')})", f"{e('int4')}.{self.pick(*PAIRS)}",
            f"int2({e('int')}, {e('int')})",
        )  # fmt: skip

    def of_bool(self, depth: int) -> str:
        e = lambda of="int": self.expression(of, depth)  # noqa: E731
        return self.pick(
            f"({e()} {self.comparison()} {e()})", f"({e('bool')} and {e('bool')})",
            f"({e('bool')} or not {e('bool')})",
            f"bool_(all_({e('bool4')}))", f"bool_(any_({e('int4')}))",
            f"bool_({e()})", f"({e('bool')} ^ {e('bool')})", f"(-4 < {e()} <= {self.small()})",
            f"(i {self.comparison()} size)",
        )  # fmt: skip

    def comparison(self) -> str:
        return self.pick("<", "<=", ">", ">=", "==", "!=")

    def of_bool4(self, depth: int) -> str:
        e = lambda of="int4": self.expression(of, depth)  # noqa: E731
        return self.pick(
            f"({e()} {self.comparison()} {e()})", f"({e()} {self.comparison()} {self.small()})",
            f"({e('bool4')} & {e('bool4')})", f"({e('bool4')} | {e('bool')})", f"(~{e('bool4')})",
            f"bool4({e()})", f"bool4({e('bool')}, True, {e('bool')}, False)", f"bool4({e('bool')})",
        )  # fmt: skip

    def of_float(self, depth: int) -> str:
        e = lambda of="float": self.expression(of, depth)  # noqa: E731
        return self.pick(
            f"({e()} {self.pick('+', '-', '*')} {e()})", f"({e()} / 2)", f"abs({e()})", f"(-{e()})",
            f"minimum({e()}, {e()})", "float_(i % 3)", f"({e()} if {self.truth(depth)} else 1)",
            f"dot({e('float4')}, {e('float4')})", f"(0.5 + {e('int')} * {e()})",
        )  # fmt: skip

    def of_float4(self, depth: int) -> str:
        e = lambda of="float4": self.expression(of, depth)  # noqa: E731
        return self.pick(
            f"({e()} {self.pick('+', '-', '*')} {e()})", f"({e('float')} * {e()})", f"abs({e()})",
            f"({e()} - {self.small()})", f"maximum({e()}, {e('float')})", f"div({e()}, 2.0)",
            f"select({e()}, {e()}, {e()} < {e()})", f"(m * {e()})", f"float4({e()}.wz, {e()}.xx)",
        )  # fmt: skip

    def truth(self, depth: int) -> str:
        return self.expression("bool", depth)

    # --- statements ------------------------------------------------------------------------------

    def statement(self, indent: str, depth: int) -> list[str]:
        kind = self.pick("assign", "assign", "add", "component", "if", "for", "while")
        if depth == 0 and kind in ("if", "for", "while"):
            kind = "assign"
        if kind == "if":
            return [
                f"{indent}if {self.truth(1)}:", *self.block(indent, depth),
                f"{indent}else:", *self.block(indent, depth),
            ]  # fmt: skip
        if kind == "for":
            self.loops += 1
            bounds = self.pick("2", "1, size", "2, -1, -1", "0, a & 3, 2", "i, i + 2")
            counted = f"{indent}    a = a + k{self.loops}"
            head = f"{indent}for k{self.loops} in range({bounds}):"
            return [head, counted, *self.block(indent, depth)]
        if kind == "while":
            self.loops += 1
            name = f"c{self.loops}"
            return [
                f"{indent}{name}: int_ = i", f"{indent}while {name} < 4 and {self.truth(1)}:",
                f"{indent}    {name} += 1", *self.block(indent, depth),
            ]  # fmt: skip
        return [indent + self.simple(kind)]

    def block(self, indent: str, depth: int) -> list[str]:
        inner = indent + "    "
        return [line for _ in range(2) for line in self.statement(inner, depth - 1)]

    def simple(self, kind: str) -> str:
        types = [of for of in VARIABLES if self.floats or not of.startswith("float")]
        of = self.pick(*types)
        if kind == "component":
            return self.pick(
                f"u.{self.pick(*SINGLE)} = {self.kept('int', 2)}",
                f"w.{self.pick(*PAIRS)} = {self.kept('int2', 1)}",
                f"u.{self.pick(*PAIRS)} = {self.small()}",
                f"w.{self.pick(*SINGLE)} += {self.kept('int', 1)}",
                f"d.yx -= {self.kept('int2', 1)}", f"m.{self.pick(*SINGLE)} = {self.truth(1)}",
                f"m.{self.pick('lo', 'yw')} = {self.expression('bool4', 1)}.zx",
            )  # fmt: skip
        target = self.pick(*VARIABLES[of])
        if kind == "add" and of in ("int", "int4", "int2"):
            op = self.pick("+=", "-=", "^=", "&=")
            return f"{target} {op} {self.kept(of, 1)}"
        return f"{target} = {self.kept(of, 2)}"

    def kept(self, of: str, depth: int) -> str:
        """An expression in a new vector, and small where floats must be exact."""
        text = self.expression(of, depth)
        if self.floats and not of.startswith("bool"):
            text = f"minimum(maximum({text}, -8), 8)"
        return f"{of}({text})" if of[-1] in "24" else text


@st.composite
def kernels(draw: Any, floats: bool) -> str:
    """The source of a kernel."""
    writer = Writer(draw, floats)
    lines = []
    for _ in range(draw(st.integers(1, 12))):
        lines += writer.statement("    ", 2)
    return HEAD + "\n".join(lines) + TAIL


HELPERS = """
def mixed(a: int_, v: int4) -> int_:
    if a > 0:
        return a * v.x - v.w
    elif a == 0:
        return dot(v, v)
    else:
        for k in range(4):
            a += v.y * k
        return a

def clamp(a: int_, b: int_) -> int_:
    return a if a < 100 and a > -100 else b
"""
NUMBERS = count()


def made(source: str) -> Kernel:
    """A kernel from its source, which `inspect` finds."""
    text = HELPERS + source
    filename = f"<random kernel {next(NUMBERS)}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    namespace = {name: getattr(synthcl, name) for name in synthcl.__all__}
    exec(compile(text, filename, "exec"), namespace)
    found: Kernel = namespace["random_kernel"]
    return found
