"""Compiled programs: what they compute, and what their code looks like."""

from __future__ import annotations

import pytest

from solvent.riscu.cstar import CStarError, compile_text
from solvent.riscu.emulator import emulate
from solvent.riscu.instructions import NAMES


def run(text: str, given: bytes = b"") -> int | None:
    """The exit code of a program."""
    result = emulate(compile_text(text, "a.c"), given, most_steps=1_000_000)
    assert result.exit_code is not None, str(result)
    return result.exit_code


def value(expression: str) -> int | None:
    return run(f"uint64_t main() {{ return {expression}; }}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2047", 2047),
        ("2048", 2048),
        ("4095 + 1", 4096),
        ("2147481599", 2147481599),
        ("2147481600", 2147481600),
        ("2147483647", 2147483647),
        ("4294967296 * 4294967295", 2**64 - 2**32),
        ("18446744073709551615", 2**64 - 1),
        ("-1", 2**64 - 1),
        ("-2147483648", 2**64 - 2**31),
        ("3 - 5", 2**64 - 2),
        ("-7 / 2", (2**64 - 7) // 2),
        ("-7 % 10", (2**64 - 7) % 10),
        ("(1 < 2) + (2 < 1) * 10 + (1 < 1) * 100", 1),
        ("(1 <= 2) + (2 <= 1) * 10 + (1 <= 1) * 100", 101),
        ("(1 > 2) + (2 > 1) * 10 + (1 > 1) * 100", 10),
        ("(1 >= 2) + (2 >= 1) * 10 + (1 >= 1) * 100", 110),
        ("(1 == 2) + (2 == 2) * 10", 10),
        ("(1 != 2) + (2 != 2) * 10", 1),
        ("-1 > 1", 1),
        ("'a' + '\\n'", 107),
        ('*"ab"', 97 + 98 * 256),
        ("(uint64_t) (malloc(24) + 2) - (uint64_t) malloc(0)", 2**64 - 8),
    ],
)
def test_expressions(expression: str, expected: int) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_comparisons_in_conditions(operator: str) -> None:
    """A condition is compiled to a branch, but says the same as its value."""
    for a, b in ((1, 2), (2, 1), (1, 1)):
        text = f"""uint64_t main() {{ uint64_t n; uint64_t i; n = 0; i = 0;
          if ({a} {operator} {b}) n = 1; else n = 2;
          while (({a} {operator} {b}) * (i < 3)) i = i + 1;
          if ({a} {operator} {b}) return n * 10 + i;
          return n * 10 + i + ({a} {operator} {b}) * 1000; }}"""
        assert run(text) == (13 if eval(f"{a} {operator} {b}") else 20)


def test_procedures() -> None:
    text = """uint64_t g = 5;
    uint64_t count(uint64_t a, uint64_t b, uint64_t c) { g = g + 1; return a * 100 + b * 10 + c; }
    void nothing() { }
    uint64_t falls() { g = g * 2; }
    uint64_t main() {
      nothing();
      return count(1, count(0, 0, 2), 3) * 1000 + g + falls();
    }"""
    # Operands and arguments are evaluated from left to right.
    assert run(text) == 123 * 1000 + 7
    assert run("uint64_t f(uint64_t n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }"
               "uint64_t main() { return f(15); }") == 610  # fmt: skip


def test_the_values_of_globals() -> None:
    text = """uint64_t a; uint64_t b = 7; uint64_t c = -1; uint64_t* d = (uint64_t*) 64;
    uint64_t main() { return a + b * 10 + (c + 1) + (uint64_t) (d + 1) * 1000; }"""
    assert run(text) == 72070


def test_arguments_of_main() -> None:
    program = compile_text(
        "uint64_t main(uint64_t n, uint64_t* v) { return *((uint64_t*) *(v + n - 1)); }"
    )
    assert emulate(program, arguments=["x", "hey"]).exit_code == int.from_bytes(b"hey", "little")
    assert emulate(compile_text("uint64_t main(uint64_t n) { return n; }")).exit_code == 1


def test_many_variables_and_arguments() -> None:
    names = [f"v{number}" for number in range(400)]
    globals_ = [f"g{number}" for number in range(400)]
    text = "".join(f"uint64_t {name} = 1;" for name in globals_)
    text += f"uint64_t f({', '.join(f'uint64_t {name}' for name in names)}) {{ return v0 + v399; }}"
    text += "uint64_t main() {" + "".join(f"uint64_t {name};" for name in names)
    text += "".join(f"{name} = {number};" for number, name in enumerate(names))
    text += f"g399 = v300; return f({', '.join(names)}) + v300 + g399 + g1 + {2**40}; }}"
    assert run(text) == 399 + 600 + 1 + 2**40


def test_branches_that_go_far() -> None:
    body = "n = n + 1;" * 700
    text = f"""uint64_t main() {{ uint64_t n; uint64_t i; n = 0; i = 0;
      while (i < 2) {{ if (i == 0) {{ {body} }} else {{ {body} }} i = i + 1; }}
      if (n < 5) {{ {body} }}
      return n; }}"""
    assert run(text) == 1400


def test_a_program_that_no_jump_can_cross_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.riscu.cstar.assembly._JUMP_REACH", 400)
    body = "n = n + 1;" * 60
    text = f"uint64_t main() {{ uint64_t n; n = 0; while (n < 5) {{ {body} }} return n; }}"
    with pytest.raises(CStarError, match="the program is too large: a jump reaches 1 MB of code"):
        compile_text(text)


def test_builtins() -> None:
    text = """uint64_t main() { uint64_t* x; uint64_t n;
      x = malloc(10);
      n = read(0, x, 10);
      if (malloc(0) - x != 2) return 1000;
      if (malloc(4294967296) != (uint64_t*) 0) return 1001;
      if (write(1, x, n) != n) return 1002;
      if (read(9, x, 1) != -1) return 1003;
      if (open("missing", 0, 0) != -1) return 1004;
      exit(n);
    }"""
    result = emulate(compile_text(text), b"hello")
    assert (result.exit_code, result.output, result.consumed) == (5, b"hello", 5)


def test_only_instructions_of_riscu_and_only_what_is_used() -> None:
    program = compile_text("uint64_t main() { return 1; }")
    assert {one.name for one in program.instructions.values()} <= set(NAMES)
    assert [symbol.name for symbol in program.symbols] == ["_start", "main"]
    assert len(program.instructions) == len(program.words)


def test_lines_and_symbols() -> None:
    program = compile_text("uint64_t g;\nuint64_t main() {\n  g = 1;\n  return g;\n}\n", "a.c")
    main = next(symbol for symbol in program.symbols if symbol.name == "main")
    lines = [program.lines[at].line for at in range(main.address, main.address + main.size, 4)]
    assert lines == sorted(lines)
    assert set(lines) == {2, 3, 4, 5}
    assert program.where(main.address) == "a.c(2,1)"
    assert program.where(program.code_start) == f"address {program.code_start:#x} in _start"
