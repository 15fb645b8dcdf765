"""Programs whose names or types do not fit, with the exact messages and places."""

from __future__ import annotations

import pytest

from tests.boogie.helpers import messages

G = "var g: int; var h: [int]bool; const c: int;\n"
FIELD = "type Field _; type ref; var H: <a>[ref, Field a]a; const r: ref; const f: Field int;\n"
OUTSIDE = "command assigns to a global variable that is not in the enclosing procedure's"

NAMES = [
    ("axiom x > 0;", ["(1,7): Error: undeclared identifier: x"]),
    ("axiom f(1);", ["(1,7): Error: use of undeclared function: f"]),
    (
        "procedure P(); axiom P();",
        [
            "(1,22): Error: use of undeclared function: P "
            "(a procedure of this name can only be called by a statement)"
        ],
    ),
    ("procedure P() { call Q(); }", ["(1,17): Error: call to undeclared procedure: Q"]),
    ("const x: T;", ["(1,10): Error: undeclared type: T"]),
    ("const x: [T]U;", ["(1,11): Error: undeclared type: T", "(1,13): Error: undeclared type: U"]),
    (
        "type C a; const x: C;",
        ["(1,20): Error: type constructor received wrong number of arguments: C"],
    ),
    (
        "type S a = [a]a; const x: S int int;",
        ["(1,27): Error: type synonym received wrong number of arguments: S"],
    ),
    (
        "const x: bv8 int;",
        ["(1,10): Error: type constructor received wrong number of arguments: bv8"],
    ),
    ("function f<a>(x: a int): int;", ["(1,18): Error: type variable has no arguments: a"]),
    ("type T; type T;", ["(1,14): Error: more than one declaration of type name: T"]),
    ("type bv8;", ["(1,6): Error: bv8 is the name of a built-in type"]),
    ("const x: bv2000000;", ["(1,10): Error: the width of type bv2000000 is too large"]),
    (
        "const x: float1e8;",
        [
            "(1,10): Error: a float type needs at least two bits of significand and of exponent: "
            "float1e8"
        ],
    ),
    ("type C a a;", ["(1,10): Error: more than one declaration of type variable: a"]),
    (
        "type A = B; type B = [int]A;",
        ["(1,6): Error: type synonym is defined by itself: A -> B -> A"],
    ),
    ("const x: <a>[int]int;", ["(1,10): Error: type variable must occur in map arguments: a"]),
    (
        "function f<a>(x: int): int;",
        ["(1,10): Error: type variable must occur in function arguments: a"],
    ),
    (
        "procedure P<a>(x: int);",
        ["(1,11): Error: type variable must occur in procedure arguments: a"],
    ),
    (
        "const x: int; var x: bool;",
        ["(1,19): Error: more than one declaration of variable name: x"],
    ),
    (
        "procedure P(x: int) returns (x: int);",
        ["(1,30): Error: more than one declaration of variable name: x"],
    ),
    (
        "procedure P(x: int) { var x: int; }",
        ["(1,27): Error: more than one declaration of variable name: x"],
    ),
    (
        "axiom (forall x: int, x: bool :: true);",
        ["(1,23): Error: more than one declaration of variable name: x"],
    ),
    (
        "axiom (var x, x := 1, 2; x > 0);",
        ["(1,15): Error: more than one declaration of variable name: x"],
    ),
    (
        "function f(): int; procedure f();",
        ["(1,30): Error: more than one declaration of function/procedure name: f"],
    ),
    (
        "axiom (var x := 1, 2; x > 0);",
        ["(1,7): Error: number of left-hand sides does not match number of right-hand sides"],
    ),
    (G + "axiom g > 0;", ["(2,7): Error: cannot refer to a global variable in this context: g"]),
    (
        G + "function f(): int { g }",
        ["(2,21): Error: cannot refer to a global variable in this context: g"],
    ),
    (
        G + "procedure P(); requires old(g) > 0;",
        ["(2,25): Error: old expressions allowed only in two-state contexts"],
    ),
    ("axiom old(true);", ["(1,7): Error: old expressions allowed only in two-state contexts"]),
    (
        "var x: int where old(x) > 0;",
        ["(1,18): Error: old expressions allowed only in two-state contexts"],
    ),
    (
        "function f(x: int): int { old(x) }",
        ["(1,27): Error: old expressions allowed only in two-state contexts"],
    ),
    (
        G + "procedure P(x: int where old(g) > x);",
        ["(2,26): Error: old expressions allowed only in two-state contexts"],
    ),
    (
        G + "procedure P() { var x: int where old(g) > x; }",
        ["(2,34): Error: old expressions allowed only in two-state contexts"],
    ),
    (
        "function f<a, a>(x: a): int;",
        ["(1,15): Error: more than one declaration of type variable: a"],
    ),
    ("axiom (forall<a> x: b :: true);", ["(1,21): Error: undeclared type: b"]),
    ("procedure P<a>(x: a) { var y: b; }", ["(1,31): Error: undeclared type: b"]),
    (
        "procedure P(x: int); implementation P(x: bool) { }",
        ["(1,39): Error: mismatched type of in-parameter in implementation P: x"],
    ),
    ("procedure P() { goto L; while (*) { L: } }", []),
    (
        "procedure P() { if (*) { break L; } L: while (*) { } }",
        ["(1,26): Error: break label 'L' must designate an enclosing statement"],
    ),
    (
        "var m: [int]int; procedure P() modifies m; { m[1], m[2] := 1, 2; }",
        ["(1,52): Error: variable m is assigned more than once in parallel assignment"],
    ),
    (
        "procedure P() returns (y: int); requires y > 0;",
        ["(1,42): Error: undeclared identifier: y"],
    ),
    (
        "procedure P(x: int where y > 0) returns (y: int);",
        ["(1,26): Error: undeclared identifier: y"],
    ),
    ("procedure P(x: int); modifies x;", ["(1,31): Error: undeclared identifier: x"]),
    (G + "procedure P(); modifies c;", ["(2,25): Error: modifies list contains constant: c"]),
    ("implementation P() { }", ["(1,16): Error: implementation given for undeclared procedure: P"]),
    ("const a: int extends b;", ["(1,22): Error: undeclared identifier: b"]),
    (
        "const b: int; const a: int extends b, b;",
        ["(1,39): Error: b occurs more than once as parent"],
    ),
    ("const a: int extends a;", ["(1,22): Error: constant cannot be its own parent"]),
    (
        "var b: int; const a: int extends b;",
        ["(1,34): Error: the parent of a constant has to be a constant"],
    ),
    (
        "axiom {:a x} {:b f(2)} true;",
        [
            "(1,11): Error: undeclared identifier: x",
            "(1,18): Error: use of undeclared function: f",
        ],
    ),
    (
        "procedure {:a x} P(x: int) { assume {:b x, y} true; }",
        ["(1,44): Error: undeclared identifier: y"],
    ),
]

LABELS = [
    ("goto X, Y; Y:", ["(1,17): Error: goto label 'X' is undefined"]),
    ("goto X; if (*) { X: }", []),
    ("X: if (*) { goto X; Y: goto Y; }", []),
    ("X: X:", ["(1,20): Error: more than one declaration of block name: X"]),
    ("break;", ["(1,17): Error: break statement is not inside a loop"]),
    ("if (*) { break; }", ["(1,26): Error: break statement is not inside a loop"]),
    (
        "A: while (*) { } while (*) { break A; }",
        ["(1,46): Error: break label 'A' must designate an enclosing statement"],
    ),
    ("A: B: while (*) { if (*) { break A; } else { break B; } }", []),
    ("A: if (*) { break A; }", []),
    (
        "A: while (*) { B: break B; }",
        ["(1,35): Error: break label 'B' must designate an enclosing statement"],
    ),
]

TRIGGERS = [
    ("{f(x) && true}", ["(2,31): Error: boolean operators are not allowed in triggers"]),
    ("{!f(x)}", ["(2,26): Error: boolean operators are not allowed in triggers"]),
    ("{f(x) == f(x)}", ["(2,31): Error: equality is not allowed in triggers"]),
    ("{g(x) < 3}", ["(2,31): Error: arithmetic comparisons are not allowed in triggers"]),
    ("{f(x), (forall y: int :: f(y))}", ["(2,33): Error: quantifiers are not allowed in triggers"]),
    ("{x}", ["(2,26): Error: a matching pattern must be more than just a variable by itself: x"]),
    (
        "{f(3)}",
        ["(2,25): Error: trigger must mention all quantified variables, but does not mention: x"],
    ),
    ("{:nopats f(3)} {f(x), f(3)} {f(x + 1)}", []),
]

TYPES = [
    (
        "function F<a>(<b>[b]a): bool; const f: <c>[c]c; axiom F(f);",
        [
            "(1,57): Error: invalid type for argument 0 in application of F: "
            "<a>[a]a (expected: <b>[b]a)"
        ],
    ),
    ("axiom 1;", ["(1,1): Error: axioms must be of type bool (got: int)"]),
    (
        "axiom 1 && true;",
        ["(1,9): Error: invalid argument types (int and bool) to binary operator &&"],
    ),
    (
        "axiom 1 == true;",
        ["(1,9): Error: invalid argument types (int and bool) to binary operator =="],
    ),
    (
        "axiom 1 <: 1.0;",
        ["(1,9): Error: invalid argument types (int and real) to binary operator <:"],
    ),
    (
        "axiom 1 < 1.0;",
        ["(1,9): Error: invalid argument types (int and real) to binary operator <"],
    ),
    (
        "axiom 1 + true > 0;",
        ["(1,9): Error: invalid argument types (int and bool) to binary operator +"],
    ),
    (
        "axiom 1.0 mod 2.0 > 0.0;",
        ["(1,11): Error: invalid argument types (real and real) to binary operator mod"],
    ),
    (
        "axiom 1 ** 2 == 1;",
        ["(1,9): Error: invalid argument types (int and int) to binary operator **"],
    ),
    (
        "axiom 1 / 2 == 1;",
        ["(1,13): Error: invalid argument types (real and int) to binary operator =="],
    ),
    (
        "axiom 1bv8 ++ 1 == 1bv9;",
        ["(1,12): Error: invalid argument types (bv8 and int) to binary operator ++"],
    ),
    (
        "axiom 1bv8 + 1bv8 == 2bv8;",
        ["(1,12): Error: invalid argument types (bv8 and bv8) to binary operator +"],
    ),
    ("axiom !1;", ["(1,7): Error: invalid argument type (int) to unary operator !"]),
    ("axiom -true == 1;", ["(1,7): Error: invalid argument type (bool) to unary operator -"]),
    (
        "axiom 5bv8[9:0] == 0bv9;",
        ["(1,11): Error: extract operand must be a bitvector of at least 9 bits (got bv8)"],
    ),
    (
        "axiom 5bv8[2:4] == 0bv2;",
        ["(1,11): Error: start index in extract must be no bigger than the end index"],
    ),
    (
        "axiom 1[1:0] == 0bv1;",
        ["(1,8): Error: extract operand must be a bitvector of at least 1 bits (got int)"],
    ),
    (
        "axiom if 1 then true else false;",
        ["(1,7): Error: first argument to if-then-else should be bool, not int"],
    ),
    (
        "axiom (if true then 1 else 1.0) == 1;",
        ["(1,8): Error: branches of if-then-else have incompatible types int and real"],
    ),
    ("axiom (1 : bool);", ["(1,10): Error: int cannot be coerced to bool"]),
    (
        "axiom int(1) == 1;",
        ["(1,7): Error: argument type int does not match expected type real or type float"],
    ),
    (
        "axiom real(1.0) == 1.0;",
        ["(1,7): Error: argument type real does not match expected type int or type float"],
    ),
    (
        "axiom (forall x: int :: x);",
        ["(1,8): Error: quantifier body must be of type bool (got: int)"],
    ),
    (
        "axiom (lambda x: int :: x) == (lambda x: int :: true);",
        ["(1,28): Error: invalid argument types ([int]int and [int]bool) to binary operator =="],
    ),
    (
        "axiom (lambda<T> x: int :: x)[0] == 0;",
        ["(1,8): Error: the type variable T does not occur in types of the lambda parameters"],
    ),
    (
        "function f(int): bool; axiom f(1, 2);",
        ["(1,30): Error: wrong number of arguments in application of f: 2 instead of 1"],
    ),
    (
        "function f(int, bool): bool; axiom f(true, 2);",
        [
            "(1,38): Error: invalid type for argument 0 in application of f: bool (expected: int)",
            "(1,44): Error: invalid type for argument 1 in application of f: int (expected: bool)",
        ],
    ),
    (
        "function f<a>(a, a): bool; axiom f(1, true);",
        ["(1,39): Error: invalid type for argument 1 in application of f: bool (expected: int)"],
    ),
    (
        "function f(): int { true }",
        ["(1,21): Error: function body with invalid type: bool (expected: int)"],
    ),
    (
        "const m: [int]int; axiom m[1, 2] == 0;",
        ["(1,27): Error: wrong number of arguments in map select: 2 instead of 1"],
    ),
    (
        "const m: [int]int; axiom m[true] == 0;",
        ["(1,28): Error: invalid type for argument 0 in map select: bool (expected: int)"],
    ),
    ("axiom 1[2] == 0;", ["(1,8): Error: map select applied to a non-map: int"]),
    (
        "const m: [int]int; axiom m[true := 1] == m;",
        ["(1,28): Error: invalid type for argument 0 in map store: bool (expected: int)"],
    ),
    (
        "const m: [int]int; axiom m[1 := true] == m;",
        ["(1,33): Error: invalid type for value in map store: bool (expected: int)"],
    ),
    (
        FIELD + "procedure P() modifies H; { H[r, f] := true; }",
        ["(2,29): Error: mismatched types in assignment command (cannot assign bool to int)"],
    ),
    (
        FIELD + "procedure P() { assert H[f, r] == 1; }",
        [
            "(2,26): Error: invalid type for argument 0 in map select: Field int (expected: ref)",
            "(2,29): Error: invalid type for argument 1 in map select: ref (expected: Field T0)",
        ],
    ),
    (
        FIELD + "const k: Field bool; axiom f == k;",
        ["(2,30): Error: invalid argument types (Field int and Field bool) to binary operator =="],
    ),
    (
        "const a: <x>[x]x; const b: <y>[y]int; axiom a == b;",
        ["(1,47): Error: invalid argument types (<a>[a]a and <a>[a]int) to binary operator =="],
    ),
    (
        "const b: int; const a: bool extends b;",
        ["(1,37): Error: parent of constant has incompatible type (int instead of bool)"],
    ),
    ("var x: int where x;", ["(1,5): Error: where clauses must be of type bool (got: int)"]),
    (
        "procedure P(x: int); requires x; free ensures x;",
        [
            "(1,22): Error: preconditions must be of type bool (got: int)",
            "(1,34): Error: postconditions must be of type bool (got: int)",
        ],
    ),
]

STATEMENTS = [
    ("assert 1;", ["(3,1): Error: an asserted expression must be of type bool (got: int)"]),
    ("assume 1;", ["(3,1): Error: an assumed expression must be of type bool (got: int)"]),
    (
        "if (1) { }",
        ["(3,5): Error: the condition of an if statement must be of type bool (got: int)"],
    ),
    (
        "while (1) invariant 2; { }",
        [
            "(3,8): Error: the condition of a while statement must be of type bool (got: int)",
            "(3,11): Error: loop invariants must be of type bool (got: int)",
        ],
    ),
    (
        "if (*) { } else if (1) { } else { assert 2; }",
        [
            "(3,21): Error: the condition of an if statement must be of type bool (got: int)",
            "(3,35): Error: an asserted expression must be of type bool (got: int)",
        ],
    ),
    (
        "assert |{ return 1; }|;",
        ["(3,11): Error: a returned expression must be of type bool (got: int)"],
    ),
    ("assert |{ g := 1; return true; }|;", [f"(3,11): Error: {OUTSIDE} modifies clause: g"]),
    (
        "x := true;",
        ["(3,1): Error: mismatched types in assignment command (cannot assign bool to int)"],
    ),
    (
        "x, y := 1;",
        ["(3,6): Error: number of left-hand sides does not match number of right-hand sides"],
    ),
    (
        "x, x := 1, 2;",
        ["(3,4): Error: variable x is assigned more than once in parallel assignment"],
    ),
    (
        "h[1][2] := 1;",
        [
            f"(3,1): Error: {OUTSIDE} modifies clause: h",
            "(3,1): Error: map assignment applied to a non-map: bool",
        ],
    ),
    (
        "n[1, 2] := 1;",
        ["(3,1): Error: wrong number of arguments in map assignment: 2 instead of 1"],
    ),
    (
        "n[true] := 1;",
        ["(3,3): Error: invalid type for argument 0 in map assignment: bool (expected: int)"],
    ),
    ("i := 1;", ["(3,1): Error: command assigns to an immutable variable: i"]),
    ("c := 1;", ["(3,1): Error: command assigns to an immutable variable: c"]),
    (
        "havoc x, i, h;",
        [
            "(3,10): Error: command assigns to an immutable variable: i",
            f"(3,13): Error: {OUTSIDE} modifies clause: h",
        ],
    ),
    ("h[1] := true;", [f"(3,1): Error: {OUTSIDE} modifies clause: h"]),
    ("call x := P(1, y);", [f"(3,1): Error: {OUTSIDE} modifies clause: g"]),
    (
        "call Q();",
        [
            "(3,1): Error: wrong number of arguments in call to Q: 0 instead of 1",
            "(3,1): Error: wrong number of result variables in call to Q: 0 instead of 1",
        ],
    ),
    (
        "call b := Q(1);",
        ["(3,6): Error: invalid type for out-parameter 0 in call to Q: bool (expected: int)"],
    ),
    (
        "call x := Q(b);",
        ["(3,13): Error: invalid type for argument 0 in call to Q: bool (expected: int)"],
    ),
    ("call x, x := R(1);", ["(3,9): Error: variable x is assigned more than once in call to R"]),
    ("call c := Q(1);", ["(3,6): Error: command assigns to an immutable variable: c"]),
    ("call g := Q(1);", [f"(3,6): Error: {OUTSIDE} modifies clause: g"]),
    (
        "call x, b := R(1);",
        ["(3,9): Error: invalid type for out-parameter 1 in call to R: bool (expected: int)"],
    ),
]

IMPLEMENTATIONS = [
    (
        "(x: bool) returns (y: int)",
        ["(2,18): Error: mismatched type of in-parameter in implementation P: x"],
    ),
    (
        "(z: bool) returns (y: int)",
        [
            "(2,18): Error: mismatched type of in-parameter in implementation P: x "
            "(named z in implementation)"
        ],
    ),
    (
        "(x: int) returns (y: bool)",
        ["(2,35): Error: mismatched type of out-parameter in implementation P: y"],
    ),
    (
        "() returns (y: int)",
        ["(2,16): Error: mismatched number of in-parameters in procedure implementation: P"],
    ),
    (
        "(x: int)",
        ["(2,16): Error: mismatched number of out-parameters in procedure implementation: P"],
    ),
    (
        "<a>(x: int) returns (y: int)",
        ["(2,16): Error: mismatched number of type parameters in procedure implementation: P"],
    ),
    ("(z: int) returns (w: int)", []),
]


def numbered(cases: list) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("text", "expected"), cases, ids=range(len(cases)))


@numbered(NAMES)
def test_names(text: str, expected: list[str]) -> None:
    assert messages(text) == expected


@numbered(LABELS)
def test_labels(text: str, expected: list[str]) -> None:
    assert messages(f"procedure P() {{ {text} }}") == expected


@numbered(TRIGGERS)
def test_triggers(text: str, expected: list[str]) -> None:
    start = "function f(int): bool; function g(int): int;\n"
    assert messages(f"{start}axiom (forall x: int :: {text} f(x));") == expected


@numbered(TYPES)
def test_types(text: str, expected: list[str]) -> None:
    assert messages(text) == expected


@numbered(STATEMENTS)
def test_statements(text: str, expected: list[str]) -> None:
    others = """
procedure P(i: int, j: int) returns (o: int); modifies g;
procedure Q(i: int) returns (o: int);
procedure R<T>(i: T) returns (o: T, k: T);"""
    start = "procedure S(i: int) { var x, y: int; var b: bool; var n: [int]int;\n"
    assert messages(f"{G}{start}{text} }}{others}") == expected


@numbered(IMPLEMENTATIONS)
def test_implementations(text: str, expected: list[str]) -> None:
    start = "procedure P(x: int) returns (y: int);\n"
    assert messages(f"{start}implementation P{text} {{ }}") == expected


def test_one_mistake_is_one_message() -> None:
    text = """
procedure P(x: T) returns (y: [T]int)
{
  y[undeclared + 1] := f(x)[3] + 4;
  call y := Q(undeclared2);
  assert x == 3 && y[x] == (if z then 1 else 2);
  assert missing;
}
"""
    assert messages(text) == [
        "(2,16): Error: undeclared type: T",
        "(2,32): Error: undeclared type: T",
        "(4,5): Error: undeclared identifier: undeclared",
        "(4,24): Error: use of undeclared function: f",
        "(5,3): Error: call to undeclared procedure: Q",
        "(5,15): Error: undeclared identifier: undeclared2",
        "(6,32): Error: undeclared identifier: z",
        "(7,10): Error: undeclared identifier: missing",
    ]
