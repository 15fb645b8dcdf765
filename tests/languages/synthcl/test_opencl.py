"""The text of translations to OpenCL, and what is refused."""

from __future__ import annotations

import linecache
import textwrap
from itertools import count
from typing import Any

import pytest

import solvent.sketch
from solvent.languages import synthcl
from solvent.languages.synthcl import Kernel, SynthCLError
from solvent.languages.synthcl.opencl import TranslationError, device, to_opencl
from solvent.languages.synthcl.programs import matrix, sobel, walsh

NUMBERS = count()
HEAD = "@kernel\ndef k(out: global_(int_), n: read_only(int_), x: float_, m: bool_, v: int4):\n"


def kernel_of(text: str) -> Kernel:
    """The kernel `k` that a text defines, in a file that is not there."""
    text = textwrap.dedent(text)
    filename = f"<kernel {next(NUMBERS)}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    namespace: dict[str, Any] = {name: getattr(synthcl, name) for name in synthcl.__all__}
    namespace.update(choose=solvent.sketch.choose, synthcl=synthcl, SIZE=7)
    exec(compile(text, filename, "exec"), namespace)
    found: Kernel = namespace["k"]
    return found


def body_of(statements: str) -> str:
    """The translated statements of a kernel."""
    found = to_opencl(kernel_of(HEAD + textwrap.indent(textwrap.dedent(statements), "    ")))
    found = found[found.index("__kernel") :]
    body = found[found.index("\n{\n") + 3 :].removesuffix("}")
    return textwrap.dedent(body).strip()


@pytest.mark.parametrize(
    ("python", "c"),
    [
        # Data wraps around, counts do not need to.
        ("out[0] = n[0] + n[1] * 2", "out[0] = n[0] + n[1] * 2;"),
        ("out[0] = (n[0] < 3) + 0", "out[0] = (uint)((int)n[0] < 3) + 0;"),
        ("i: int_ = get_global_id(0)\nout[i * 2 - 1] = 0",
         "int i = get_global_id(0);\nout[i * 2 - 1] = 0;"),
        ("a: int_ = n[0]\nout[a - 1] = a >> 2", "uint a = n[0];\nout[(int)(a - 1)] = (int)a >> 2;"),
        ("out[0] = -n[0]\nout[1] = abs(n[1])", "out[0] = -n[0];\nout[1] = abs((int)n[1]);"),
        ("out[0] = -2147483648", "out[0] = INT_MIN;"),
        # Quotients.
        ("i: int_ = get_global_id(0)\nout[i // 4] = i % 4",
         "int i = get_global_id(0);\nout[i / 4] = i % 4;"),
        ("out[0] = n[0] // 4 + n[1] % n[2]",
         "out[0] = (uint)floor_div((int)n[0], 4) + floor_mod((int)n[1], (int)n[2]);"),
        ("out[0] = div(n[0], 4)\nout[1] = rem(n[0], n[1])",
         "out[0] = (int)n[0] / 4;\nout[1] = remainder_int((int)n[0], (int)n[1]);"),
        # Shifts.
        ("out[0] = n[0] << 3\nout[1] = n[0] << n[1]",
         "out[0] = n[0] << 3;\nout[1] = shift_left(n[0], n[1]);"),
        ("out[0] = n[0] << 32", "out[0] = shift_left(n[0], 32);"),
        # Vectors and masks.
        ("w: int4 = v * 2 + n[0]\nw.xy = w.zw\nw.lo += v.hi",
         "uint4 w = v * 2 + n[0];\nw.xy = w.zw;\nw.lo += v.hi;"),
        ("w: int4 = int4(v < 3)\nb: bool4 = ~(v == w)",
         "uint4 w = as_uint4(-(as_int4(v) < 3));\nint4 b = ~(as_int4(v) == as_int4(w));"),
        ("b: bool4 = v > 0\nb.x = m\nif b.y and all_(b):\n    pass",
         "int4 b = as_int4(v) > 0;\nb.x = -m;\nif (b.y != 0 && all(b)) {\n    ;\n}"),
        ("w: int8 = int8(v, v)\nout[0] = w.x", "uint8 w = (uint8)(v, v);\nout[0] = w.s0;"),
        ("w: int4 = select(v, 0, v > 1)",
         "uint4 w = select(v, (uint4)(0), as_int4(v) > 1);"),
        ("f: float4 = float4(v) * x", "float4 f = convert_float4(as_int4(v)) * x;"),
        ("f: float_ = x\nf += 1\nout[0] = int_(f)",
         "float f = x;\nf += 1.0f;\nout[0] = (int)f;"),
        # Pointers.
        ("p: read_only(int4) = n.cast(int4)\nout[0] = (p + 1)[0].x",
         "__global const uint4 *p = (__global const uint4 *)n;\nout[0] = (p + 1)[0].x;"),
        # Loops: counters and bounds that matter later are kept.
        ("for k in range(3):\n    out[k] = 0", "for (int k = 0; k < 3; k++) {\n    out[k] = 0;\n}"),
        ("for k in range(9, 0, -2):\n    out[k] = 0",
         "for (int k = 9; k > 0; k += -2) {\n    out[k] = 0;\n}"),
        ("for k in range(2):\n    out[k] = 0\nout[k] = 1",
         "int k;\nfor (int k_now = 0; k_now < 2; k_now++) {\n    k = k_now;\n    out[k] = 0;\n}\n"
         "out[k] = 1;"),
        ("e: int_ = 3\nfor k in range(e):\n    e = 2",
         "int e = 3;\nfor (int k = 0, k_end = e; k < k_end; k++) {\n    e = 2;\n}"),
        # A variable of a block that is used after it.
        ("if m:\n    a: int_ = 1\nelse:\n    a: int_ = 2\nout[0] = a",
         "int a;\nif (m) {\n    a = 1;\n} else {\n    a = 2;\n}\nout[0] = a;"),
        ("a: int_ = 1\nb: int_ = 2\na, b = b, a\nout[0] = a",
         "int a = 1;\nint b = 2;\nint value = b;\nint value_ = a;\na = value;\nb = value_;\n"
         "out[0] = a;"),
        # Names.
        ("half: int_ = 1\nout[half] = SIZE", "int half_ = 1;\nout[half_] = SIZE;"),
        ("assert n[0] > 0, 'why'\nreturn", "// assert n[0] > 0\nreturn;"),
        ("out[synthcl.get_global_id(0)] = 1", "out[(int)get_global_id(0)] = 1;"),
    ],
)  # fmt: skip
def test_statements(python: str, c: str) -> None:
    assert body_of(python) == c


REFUSED = [
    ("out[0] = 1 if n else 2", "`n` is a pointer, but a value is needed"),
    ("out[0] = n[0] ** 2", "`n[0] ** 2`: OpenCL has no such operator"),
    ("out[0] = len(n)", "`len` is no function that OpenCL has"),
    ("out[0] = n.count(3)", "`n.count` is no function that OpenCL has"),
    ("a: int4 = 0", "a is int4, but its value is int_; convert it, as in int4(...)"),
    ("a: int_ = x", "a is int_, but its value is float_; convert it, as in int_(...)"),
    ("a: int_ = 1\n    a = x", "a is int_, but its value is float_; convert it, as in int_(...)"),
    ("n[0] = 1", "`n[0]` is read-only"),
    ("out[0] = v", "int4 cannot be stored as int_"),
    ("out[0] = v.q", "int4 has no component 'q'"),
    ("v.xx = int2(1)", "`v.xx` assigns a component twice"),
    ("if v > 0:\n        pass",
     "`v > 0` is a vector, but a condition is true or false; use all_(...) or any_(...)"),
    ("out[0] = n[0] and n[1]",
     "`n[0] and n[1]` is no truth value in Python; compare, or use bool_(...)"),
    ("out[0] = ~m", "`~m` of a truth value; use `not`"),
    ("out[0] = x & 1", "`x & 1` needs ints, not floats"),
    ("out[0] = x // 2", "`x // 2`: OpenCL rounds no quotient of floats"),
    ("w: int4 = v // 2", "`v // 2`: vectors have div(a, b) and rem(a, b) instead"),
    ("w: int4 = v + int2(1)", "int4 and int2 have different numbers of components"),
    ("w: int4 = int4(1, 2)", "int4 needs 1 or 4 components, not 2"),
    ("w: int4 = select(1, 2, v > 0)",
     "`select(1, 2, v > 0)` selects scalars by a vector; make them vectors"),
    ("out[0] = 3000000000", "3000000000 is no int of 32 bits"),
    ("out[x] = 1", "`x` is a float, but an index is an int"),
    ("out[0:2] = 1", "`out[0:2]`: an index is an int"),
    ("for k in [1, 2]:\n        pass", "`[1, 2]`: loops are over range(...)"),
    ("for k in range(1, 9, 0):\n        pass", "a loop has a step that is not 0"),
    ("while m:\n        pass\n    else:\n        pass", "OpenCL has no `else` of loops"),
    ("out[get_global_id(3)] = 1", "`get_global_id(3)`: the dimensions are 0, 1 and 2"),
    ("a = b = 1", "`a = b = 1` assigns twice; write two statements"),
    ("out[0] = choose(1, 2)",
     "`choose(1, 2)` is a hole; complete the sketch first (sketch.complete)"),
    ("a: str = 1", "`str` is no type of SynthCL, such as int_ or float4"),
    ("return n[0]", "a kernel, or a function without `-> type`, returns nothing"),
    ("with open('x'):\n        pass", "`with open('x'):` has no translation to OpenCL"),
    ("out[0] = [1][0]", "`[1]` has no translation to OpenCL"),
    ("é: int_ = 1", "é: OpenCL has only ASCII letters in names"),
    ("out[0] = 'text'", "'text' is no value in OpenCL"),
    ("n[0]", "`n[0]` does nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("python", "sentence"), REFUSED, ids=[row[0][:30] for row in REFUSED])
def test_what_is_refused_with_its_line(python: str, sentence: str) -> None:
    kernel = kernel_of(f"{HEAD}    {python}\n")
    with pytest.raises(TranslationError) as caught:
        to_opencl(kernel)
    where, _, said = str(caught.value).partition(": ")
    assert where.startswith("<kernel ")
    assert said == sentence
    line = python[: python.find("a = x")].count("\n") if "\n    a = x" in python else 0
    if not sentence.startswith("OpenCL has no `else`"):
        assert where.endswith(f":{3 + line}")


FUNCTIONS = """
def clamp(a: int_, p: read_only(int_)) -> int_:
    return a // 2 + p[0]

def put(p: global_(int_), a: int) -> None:
    p[0] = clamp(a, p)

@kernel
def k(out: global_(int_)):
    put(out, out[1])
    out[2] = clamp(3, out)
"""


def test_functions_that_a_kernel_calls() -> None:
    found = to_opencl(kernel_of(FUNCTIONS))
    assert found.index("uint clamp_(") < found.index("void put(") < found.index("__kernel void k(")
    assert "    put(out, out[1]);\n    out[2] = clamp_(3, out);\n" in found


@pytest.mark.parametrize(
    ("helper", "call", "sentence"),
    [
        ("def f(a: int_) -> int_:\n    return f(a)", "f(1)", "f calls itself"),
        ("def f(a) -> int_:\n    return 1", "f(1)", "the parameter a needs a type of SynthCL"),
        ("def f(a: int_) -> int_:\n    if a:\n        return 1", "f(1)", "does not return a value"),
        ("def f(a: int_ = 1) -> int_:\n    return a", "f(1)", "parameters that OpenCL has not"),
        ("def f(a: int_) -> int_:\n    return a", "f(a=1)", "passed by position"),
        ("def f(a: int_) -> int_:\n    return a", "f(1, 2)", "f takes 1 arguments"),
        ("def f(p: global_(int_)) -> int_:\n    p[0] = 1\n    return 1", "1 + f(out)",
         "f writes memory; call it in a statement of its own"),
        ("def f(v: int4) -> int_:\n    v.x = 1\n    return 1", "f(int4(1))",
         "`v.x` changes a vector of the caller; copy it first"),
    ],
)  # fmt: skip
def test_functions_that_are_refused(helper: str, call: str, sentence: str) -> None:
    text = f"{helper}\n@kernel\ndef k(out: global_(int_)):\n    out[0] = {call}\n"
    with pytest.raises(TranslationError, match=r"<kernel \d+>:\d+: .*") as caught:
        to_opencl(kernel_of(text))
    assert sentence in str(caught.value)


def test_a_completed_sketch() -> None:
    sketch = kernel_of("@kernel\ndef k(out: global_(int_)):\n    out[0] = choose(1, 2)\n")
    completed = "@kernel\ndef k(out: global_(int_)):\n    out[0] = 2\n"
    assert "out[0] = 2;" in to_opencl(sketch, source=completed)


def test_only_kernels() -> None:
    with pytest.raises(SynthCLError, match="only kernels are printed"):
        to_opencl(len)  # type: ignore[arg-type]


def test_without_a_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyopencl", None)
    with pytest.raises(device.NoOpenCLError, match=r"pip install 'solvent\[opencl\]'"):
        device.OpenCLDevice()


def test_all_programs_are_translated() -> None:
    for module in (matrix, sobel, walsh):
        kernels = [found for found in vars(module).values() if isinstance(found, Kernel)]
        text = to_opencl(*kernels)
        for kernel in kernels:
            assert f"__kernel void {kernel.name}(" in text
