"""Names and types: errors that leave no meaning, warnings for the rest."""

from __future__ import annotations

import pytest

from solvent.riscu.cstar import CStarError, check_text

MAIN = " uint64_t main() { return 0; }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uint64_t main() { return x; }", "(1,26): error: there is no variable x"),
        ("uint64_t main() { x = 1; }", "(1,19): error: there is no variable x"),
        ("uint64_t main() { return f(); }", "(1,26): error: there is no procedure f"),
        ("void f() { }" + MAIN[:-3] + " + f(); }", "is void and has no value"),
        ("void f() { return 1; }" + MAIN, "(1,12): error: f is void and returns no value"),
        ("uint64_t f(uint64_t a) { }" + MAIN[:-3] + " + f(); }", "f takes 1 argument, not 0"),
        ("uint64_t main() { exit(); }", "(1,19): error: exit takes 1 argument, not 0"),
        ("uint64_t main() { read(0, 0); }", "read takes 3 arguments, not 2"),
        ("uint64_t f();" + MAIN[:-3] + " + f(); }", "f is declared, but has no body"),
        ("uint64_t a; uint64_t a;" + MAIN, "(1,13): error: a is declared already"),
        ("uint64_t f(uint64_t a, uint64_t a) { }" + MAIN, "a is declared already"),
        ("uint64_t f() { } uint64_t f() { }" + MAIN, "(1,18): error: f is defined already"),
        ("uint64_t f(uint64_t a); void f() { }" + MAIN, "f was declared with other types before"),
        ("uint64_t f; uint64_t f() { }" + MAIN, "f is a variable already"),
        ("uint64_t malloc(uint64_t n) { }" + MAIN, "malloc is built in"),
        ("uint64_t malloc();" + MAIN, "malloc takes 1 argument"),
        ("uint64_t f() { }", "(1,1): error: there is no procedure main"),
        ("uint64_t main();", "(1,1): error: there is no procedure main"),
        ("void main(uint64_t a, uint64_t* b, uint64_t c) { }", "main has at most two parameters"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(CStarError) as caught:
        check_text(text, "a.c")
    assert message in str(caught.value)


def test_all_errors_are_shown_in_their_order() -> None:
    with pytest.raises(CStarError) as caught:
        check_text("uint64_t main() { a = 1;\n b = c; }", "a.c")
    names = [str(one).rsplit(maxsplit=1)[-1] for one in caught.value.diagnostics]
    assert names == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        ("p = 1;", "a value of type uint64_t becomes one of type uint64_t*"),
        ("n = p;", "a value of type uint64_t* becomes one of type uint64_t"),
        ("n = *n;", "a value of type uint64_t becomes one of type uint64_t*"),
        ("n = -p;", "a value of type uint64_t* becomes one of type uint64_t"),
        ("n = p * 2;", "* takes numbers, not pointers"),
        ("n = p + p;", "uint64_t* + uint64_t* has no meaning for pointers"),
        ("n = 1 - p;", "uint64_t - uint64_t* has no meaning for pointers"),
        ("n = p == 1;", "uint64_t* is compared with uint64_t; write a cast"),
        ("return;", "main returns no value here, so zero"),
        ("return p;", "a value of type uint64_t* becomes one of type uint64_t"),
        ("p = malloc(p);", "a value of type uint64_t* becomes one of type uint64_t"),
    ],
)
def test_warnings(body: str, warning: str) -> None:
    checked = check_text(f"uint64_t main() {{ uint64_t n; uint64_t* p; {body} }}", "a.c")
    assert len(checked.warnings) == 1
    assert warning in str(checked.warnings[0])
    assert ": warning: " in str(checked.warnings[0])


def test_what_is_right_gives_no_warnings() -> None:
    text = """uint64_t* p = (uint64_t*) 0; uint64_t* malloc(uint64_t size);
    uint64_t* f(uint64_t* a, uint64_t b) { return a + b; }
    uint64_t main(uint64_t argc, uint64_t* argv) {
      uint64_t n;
      p = f(malloc(8), 3) - 1;
      n = p - argv;
      p = 1 + p;
      if (p != argv) if (p == (uint64_t*) 8) n = *(p + n) < (uint64_t) p;
      write(1, "abc", 3);
      return n;
    }"""
    checked = check_text(text)
    assert checked.warnings == []
    assert checked.builtins == {"malloc", "write"}


def test_a_local_variable_hides_a_global_one() -> None:
    text = "uint64_t* p; uint64_t main() { uint64_t p; p = 1; return p; }"
    assert check_text(text).warnings == []
