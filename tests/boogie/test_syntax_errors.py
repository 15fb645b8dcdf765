"""Texts that are not Boogie, with the exact messages and places."""

from __future__ import annotations

import pytest

from tests.boogie.helpers import messages

P = "procedure P() {\n"

CASES = [
    # declarations
    ("foo;", ["(1,1): Error: expected a declaration, but found 'foo'"]),
    ("}", ["(1,1): Error: expected a declaration, but found '}'"]),
    ("const c int;", ["(1,9): Error: expected ':', but found 'int'"]),
    ("const c: int", ["(1,13): Error: expected ';', but found the end of the file"]),
    ("const c: ;", ["(1,10): Error: expected a type, but found ';'"]),
    (
        "const int: int;",
        [
            "(1,7): Error: expected the name of a constant, but found 'int' "
            "(write \\int to use the keyword as a name)"
        ],
    ),
    ("type;", ["(1,5): Error: expected the name of a type, but found ';'"]),
    ("type T = ;", ["(1,10): Error: expected a type, but found ';'"]),
    ("const c: [int;", ["(1,14): Error: expected ']', but found ';'"]),
    ("const c: <a, 3>[a]a;", ["(1,14): Error: expected a type variable, but found '3'"]),
    ("function f(x: int);", ["(1,19): Error: expected ':', but found ';'"]),
    (
        "function f(x: int where x > 0): int;",
        ["(1,19): Error: where clause not allowed on function parameters"],
    ),
    ("function f() returns (int, int);", ["(1,22): Error: a function has exactly one result"]),
    ("function f(): int { 1 ", ["(1,23): Error: expected '}', but found the end of the file"]),
    ("axiom;", ["(1,6): Error: expected an expression, but found ';'"]),
    ("var x;", ["(1,6): Error: expected ':', but found ';'"]),
    (
        "procedure P() ensures true;",
        ["(1,28): Error: expected ';', a contract or a body, but found the end of the file"],
    ),
    (
        "procedure P(); { }",
        ["(1,16): Error: a procedure with a body has no ';' behind its parameters"],
    ),
    (
        "procedure P(); free modifies x;",
        ["(1,21): Error: expected 'requires' or 'ensures' behind 'free', but found 'modifies'"],
    ),
    (
        "procedure P(x: int); implementation P(x: int where x > 0) { }",
        ["(1,46): Error: where clause not allowed on the parameters of an implementation"],
    ),
    ("implementation P();", ["(1,19): Error: expected '{', but found ';'"]),
    (
        "axiom (forall x: int where x > 0 :: true);",
        ["(1,22): Error: where clause not allowed on bound variables"],
    ),
    ("free procedure P();", ["(1,1): Error: expected a declaration, but found 'free'"]),
    (
        "const a: int extends unique;",
        ["(1,28): Error: expected the name of a constant, but found ';'"],
    ),
    ("axiom (var x: int := 1; x > 0);", ["(1,13): Error: expected ':=', but found ':'"]),
    (
        "axiom 0x1.8e40f24e8 == 0NaN24e8;",
        ["(1,7): Error: float literal 0x1.8e40f24e8 is no number of type float24e8"],
    ),
    (
        "axiom 0x1.0000001e0f24e8 == 0NaN24e8;",
        ["(1,7): Error: float literal 0x1.0000001e0f24e8 is no number of type float24e8"],
    ),
    # refused
    (
        "datatype D { A() }",
        [
            "(1,1): Error: datatypes are not supported; "
            "declare a type with functions and axioms instead"
        ],
    ),
    (
        "yield procedure P();",
        ["(1,1): Error: yielding procedures are not supported; 'yield' is a statement"],
    ),
    (P + "async P();}", ["(2,1): Error: expected 'call' behind 'async', but found 'P'"]),
    (
        P + "async call x := P();}",
        ["(2,7): Error: an asynchronous call has no results: nobody waits for them"],
    ),
    (P + "par P() | ;}", ["(2,11): Error: expected an identifier, but found ';'"]),
    (
        P + "call forall P();}",
        [
            "(2,6): Error: 'call forall' is not supported; "
            "state the lemma as an axiom or a quantifier"
        ],
    ),
    (P + "call P(*);}", ["(2,7): Error: the argument '*' of 'call forall' is not supported"]),
    ("axiom x->f == 1;", ["(1,8): Error: datatypes and their field access '->' are not supported"]),
    (P + "x->f := 1;}", ["(2,2): Error: datatypes and their field access '->' are not supported"]),
    (
        "axiom x is Cons;",
        ["(1,9): Error: datatypes and their constructor test 'is' are not supported"],
    ),
    (
        P + "push; push := 1;}",
        ["(2,1): Error: 'push', 'pop', 'hide' and 'reveal' of axioms are not supported"],
    ),
    ("#if FOO\nvar x: int;", ["(1,1): Error: preprocessor directive #if is not supported"]),
    # statements
    (P + "x := ;}", ["(2,6): Error: expected an expression, but found ';'"]),
    (P + "x = 3;}", ["(2,3): Error: expected ':=' or ':', but found '='"]),
    (P + "x, y;}", ["(2,5): Error: expected ':=', but found ';'"]),
    (
        P + "Q(3);}",
        ["(2,1): Error: expected a statement; a procedure is called with 'call Q(...);'"],
    ),
    (P + "call x, y;}", ["(2,6): Error: expected ':=' behind the results of a call"]),
    (P + "free assert true;}", ["(2,1): Error: expected 'call' behind 'free', but found 'assert'"]),
    (P + "goto;}", ["(2,5): Error: expected a label, but found ';'"]),
    (P + "if true { }}", ["(2,4): Error: expected '(', but found 'true'"]),
    (P + "else { }}", ["(2,1): Error: 'else' without 'if'"]),
    (
        P + "invariant true;}",
        ["(2,1): Error: 'invariant' must stand directly behind the condition of a loop"],
    ),
    (
        P + "assert true; var x: int;}",
        ["(2,14): Error: local variables must be declared before the first statement"],
    ),
    (P + "return 3;}", ["(2,1): Error: 'return' has a value only in a code expression |{ ... }|"]),
    ("axiom |{ return; }|;", ["(1,10): Error: 'return' in a code expression needs a value"]),
    (
        P + "assert true",
        [
            "(2,12): Error: expected ';', but found the end of the file",
            "(2,12): Error: expected '}', but found the end of the file",
        ],
    ),
    (P + "const c: int;", ["(2,1): Error: expected a statement or '}', but found 'const'"]),
    # expressions
    ("axiom a && b || c;", ["(1,14): Error: operators && and || cannot be mixed; add parentheses"]),
    (
        "axiom a ==> b <== c;",
        ["(1,15): Error: operators ==> and <== cannot be mixed; add parentheses"],
    ),
    ("axiom 1 < 2 < 3;", ["(1,13): Error: operators < and < cannot be chained; add parentheses"]),
    (
        "axiom 1 == 2 != 3;",
        ["(1,14): Error: operators == and != cannot be chained; add parentheses"],
    ),
    (
        "axiom forall x: int :: true;",
        ["(1,7): Error: 'forall' must stand in parentheses: (forall x: T :: ...)"],
    ),
    ("axiom (forall :: true);", ["(1,15): Error: expected an identifier, but found '::'"]),
    (
        "axiom (lambda x: int :: {f(x)} x) == m;",
        ["(1,25): Error: a lambda expression has no triggers"],
    ),
    ("axiom (var x := 1 x > 0);", ["(1,19): Error: expected ';', but found 'x'"]),
    ("axiom if a then b;", ["(1,18): Error: expected 'else', but found ';'"]),
    ("axiom (1;", ["(1,9): Error: expected ')', but found ';'"]),
    ("axiom f(1,);", ["(1,11): Error: expected an expression, but found ')'"]),
    ("axiom m[1;", ["(1,10): Error: expected ']', but found ';'"]),
    ("axiom {:3} true;", ["(1,9): Error: expected the name of an attribute, but found '3'"]),
    # words and numbers
    (
        "const c: int; @@ axiom %;",
        [
            "(1,15): Error: illegal character: @",
            "(1,24): Error: illegal character: %",
            "(1,25): Error: expected an expression, but found ';'",
        ],
    ),
    (
        "const é: int;",
        [
            "(1,7): Error: illegal character: é",
            "(1,8): Error: expected the name of a constant, but found ':'",
        ],
    ),
    (
        'axiom {:a "open} true;\naxiom true;',
        [
            "(1,11): Error: string literal is not closed on its line",
            "(2,1): Error: expected an expression, but found 'axiom'",
        ],
    ),
    ("/* /* */ axiom true;", ["(1,1): Error: comment is not closed"]),
    ("const \\5: int;", ["(1,7): Error: invalid identifier: \\5"]),
    ("axiom 9bv3 == 1bv3;", ["(1,7): Error: bitvector literal 9bv3 does not fit in 3 bits"]),
    (
        "axiom 1bv9999999 == 1bv9999999;",
        [
            "(1,7): Error: bitvector width 9999999 is too large",
            "(1,21): Error: bitvector width 9999999 is too large",
        ],
    ),
    ("axiom 1" + "0" * 5000 + " > 1;", ["(1,7): Error: number with 5,001 digits is too long"]),
    ("axiom 1." + "0" * 5000 + " > 1.0;", ["(1,7): Error: number with 5,002 digits is too long"]),
    ("axiom " + "x" * 100 + " 3;", ["(1,108): Error: expected ';', but found '3'"]),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=range(len(CASES)))
def test_message(text: str, expected: list[str]) -> None:
    assert messages(text) == expected


def test_one_run_finds_many_mistakes() -> None:
    text = """procedure P()
{
  var i int;
  i := ;
  if (i < ) { havoc ; } else { assert ); }
  while (*) invariant ; { x = 3; }
  goto A
  B: return;
}
const c;
axiom true
procedure Q() { assert 1 +; }
"""
    assert messages(text) == [
        "(3,9): Error: expected ':', but found 'int'",
        "(4,8): Error: expected an expression, but found ';'",
        "(5,11): Error: expected an expression, but found ')'",
        "(5,21): Error: expected an identifier, but found ';'",
        "(5,39): Error: expected an expression, but found ')'",
        "(6,23): Error: expected an expression, but found ';'",
        "(6,29): Error: expected ':=' or ':', but found '='",
        "(8,3): Error: expected ';', but found 'B'",
        "(10,8): Error: expected ':', but found ';'",
        "(12,1): Error: expected ';', but found 'procedure'",
        "(12,27): Error: expected an expression, but found ';'",
    ]
