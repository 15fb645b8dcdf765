"""Every construct of the language: how it is parsed and which types it has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from solvent.boogie import attributes, parse_program
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.parser import parse_expression
from solvent.boogie.printer import expression_text
from solvent.boogie.symbols import Kind
from solvent.boogie.types import INT, type_name
from solvent.boogie.walking import same
from tests.boogie.helpers import checked, messages

HEAP = """
type ref; type Field _; type Seq _; type Pair a b; type Same a = Pair a a;
type Heap = <a>[ref, Field a]a;
const r: ref; const fi: Field int; const fb: Field bool; const h: Heap;
const m: [int, bool][int]real; const empty: []int; const b8: bv8; const fl: float24e8;
const i: int; const x: real; const p: bool; const s: Same int; const q: <a, b>[b, a]Pair a b;
function id<a>(x: a) : a; function nil<a>() : Seq a; function cons<a>(x: a, l: Seq a) : Seq a;
function len<a>(l: Seq a) : int; function mode(rmode) : bool;
"""

EXPRESSIONS = [
    ("true", "bool"),
    ("3", "int"),
    ("3.25", "real"),
    ("2e-3", "real"),
    ("5bv8", "bv8"),
    ("0bv0", "bv0"),
    ("0x1.8e0f24e8", "float24e8"),
    ("-0x1.8e0f24e8 + fl", "float24e8"),
    ("0NaN11e5", "float11e5"),
    ("RNE", "rmode"),
    ("mode(roundTowardZero)", "bool"),
    ('"text"', "string"),
    ("i + 1 - i * 2 div 3 mod 4", "int"),
    ("i / 2", "real"),
    ("x ** x / i", "real"),
    ("-i", "int"),
    ("!p", "bool"),
    ("p <==> p ==> p", "bool"),
    ("p <== p", "bool"),
    ("r <: r", "bool"),
    ("i <= 3", "bool"),
    ("fl >= fl", "bool"),
    ("b8 ++ 1bv4", "bv12"),
    ("b8[7:3]", "bv4"),
    ("int(x)", "int"),
    ("real(i)", "real"),
    ("int(fl)", "int"),
    ("(i : int)", "int"),
    ("if p then i else 0", "int"),
    ("m[1, true]", "[int]real"),
    ("m[1, true][2]", "real"),
    ("m[1, true := m[2, false]]", "[int,bool][int]real"),
    ("empty[]", "int"),
    ("empty[:= 3]", "[]int"),
    ("h[r, fi]", "int"),
    ("h[r, fb]", "bool"),
    ("h[r, fi := 3][r, fb := true]", "<a>[ref,Field a]a"),
    ("q[1, true]", "Pair bool int"),
    ("s", "Pair int int"),
    ("id(i)", "int"),
    ("id(h)[r, id(fi)]", "int"),
    ("cons(1, nil())", "Seq int"),
    ("nil() : Seq bool", "Seq bool"),
    ("len(cons(fb, nil()))", "int"),
    ("if p then nil() else cons(true, nil())", "Seq bool"),
    ("(forall a: int, b: bool :: {m[a, b]} m[a, b][0] > 0.0)", "bool"),
    ("(exists<t> f: Field t :: h[r, f] == h[r, f])", "bool"),
    ("(forall<t, u> f: Field t, g: Field u :: f == g)", "bool"),
    ("(forall<t> :: len(nil() : Seq t) == 0)", "bool"),
    ("(lambda a: int :: a > 3)", "[int]bool"),
    ("(lambda<t> f: Field t :: h[r, f])", "<a>[Field a]a"),
    ("(var y, z := 1, true; if z then y else 2)", "int"),
    ("(var y := 1bv4; (var z := y ++ y; z ++ y))", "bv12"),
    ("(var y := nil(); cons(3, y))", "Seq int"),
    ("|{ var k: int; A: k := i; goto A, B; B: return k > 0; }|", "bool"),
    ("(∀ a: int • a ≤ 3 ∨ ¬(a ≥ 3) ∧ a ≠ 4 ⇒ p ⇐ p ⇔ (∃ b: int • b == a))", None),
    ("(∀ a: int • a ≤ 3 ∨ (¬(a ≥ 3) ∧ a ≠ 4) ⇒ p ⇔ (λ b: int • b == a)[a])", "bool"),
]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS, ids=range(len(EXPRESSIONS)))
def test_types_of_expressions(text: str, expected: str | None) -> None:
    program = f"{HEAP}function same<a>(x: a, y: a) : bool; axiom same({text}, {text});"
    if expected is None:
        assert messages(program)
        return
    found = checked(program)
    axiom = found.axioms[0].condition
    assert isinstance(axiom, s.Apply)
    for argument in axiom.arguments:
        assert type_name(found.type_of(argument)) == expected
    assert [type_name(each) for each in found.instances_of(axiom)] == [expected]
    assert not found.warnings


def test_every_node_has_a_closed_type() -> None:
    for text, expected in EXPRESSIONS:
        if expected is not None:
            found = checked(f"{HEAP}axiom id({text}) == id({text});")
            assert not any(each.has_proxy for each in found.tables.types.values())
            for instances in found.tables.instances.values():
                assert not any(each.has_proxy for each in instances)


def test_ambiguous_types_become_int_with_a_warning() -> None:
    found = checked(f"{HEAP}axiom len(nil()) == 0;")
    assert [str(each) for each in found.warnings] == [
        "t.bpl(9,11): Warning: type parameter a is ambiguous, instantiating to int"
    ]
    equality = found.axioms[0].condition
    assert isinstance(equality, s.Binary)
    assert found.instances_of(equality.left) == (INT,)


def test_operators_group_as_in_boogie() -> None:
    for text, grouped in [
        ("a <==> b <==> c", "(a <==> b) <==> c"),
        ("a ==> b ==> c", "a ==> (b ==> c)"),
        ("a <== b <== c", "(a <== b) <== c"),
        ("a && b ==> c || d", "(a && b) ==> (c || d)"),
        ("a == b && c < d", "(a == b) && (c < d)"),
        ("a ++ b == c + d * e", "(a ++ b) == (c + (d * e))"),
        ("a - b - c", "(a - b) - c"),
        ("a div b * c mod d / e", "(((a div b) * c) mod d) / e"),
        ("a ** b ** c * d", "(a ** (b ** c)) * d"),
        ("-a ** b", "(-a) ** b"),
        ("!a && b", "(!a) && b"),
        ("!a[1]", "!(a[1])"),
        ("-a : int", "-(a : int)"),
        ("a + b : int", "a + (b : int)"),
        ("x : C < y", "(x : C) < y"),
        ("if a then b else c + d", "if a then b else (c + d)"),
        ("a ==> if b then c else d && e", "a ==> (if b then c else (d && e))"),
    ]:
        assert same(parse_expression(text), parse_expression(grouped)), text
        assert same(
            parse_expression(expression_text(parse_expression(text))), parse_expression(text)
        )


def test_literals() -> None:
    real = parse_expression("12.50e-3")
    assert isinstance(real, s.RealLiteral)
    assert real.value == Fraction(125, 10000)
    huge = parse_expression("1e999999999")
    assert isinstance(huge, s.RealLiteral)
    assert (huge.mantissa, huge.exponent) == (1, 999999999)
    small = parse_expression("-0x0.8e1f24e8")
    assert isinstance(small, s.FloatLiteral)
    assert small.value == Fraction(-8)
    special = parse_expression("0-oo24e8")
    assert isinstance(special, s.FloatLiteral)
    assert special.special == "-oo"
    string = parse_expression('"a \\" b"')
    assert isinstance(string, s.StringLiteral)
    assert string.value == 'a \\" b'


def test_identifiers() -> None:
    program = parse_program(text="const a'b~c#d$e^f_g.h?i`j\\k, \\old, .5, X9: int;")
    names = [each.name for each in program.declarations if isinstance(each, st.ConstantDecl)]
    assert names == ["a'b~c#d$e^f_g.h?i`j\\k", "old", ".5", "X9"]


def test_declarations() -> None:
    program = parse_program(
        text="""
type {:t} A, B a = [a]A; type finite F;
const {:c 1} unique k, l: A extends unique a, b complete; const o: A extends; const n: A complete;
function {:inline} f<a>({:p} x: a, int, y: bool) : int { 3 }
function {:bvbuiltin "bvadd"} g(bv8, bv8) returns (z: bv8);
function u(x: int) : int uses { axiom u(0) == 0; axiom {:two} u(1) == 1; }
var {:v} x, y: int where x > y, z: bool;
axiom {:a} true;
procedure {:e} P<a>({:q} x: int where x > 0, y: a) returns (z: a where z == y);
  requires {:r} x > 0; free ensures {:s} z == y; modifies x, y; modifies; free requires true;
implementation {:i} P<b>(x: int, y: b) returns (z: b) { var {:l} k: int where k > 0; z := y; }
"""
    )
    kinds = [type(each).__name__ for each in program.declarations]
    assert kinds == (
        ["TypeDecl"] * 3
        + ["ConstantDecl"] * 4
        + ["FunctionDecl"] * 3
        + ["AxiomDecl"] * 2
        + ["GlobalDecl"] * 3
        + ["AxiomDecl", "ProcedureDecl", "ImplementationDecl"]
    )
    constants = [each for each in program.declarations if isinstance(each, st.ConstantDecl)]
    k, _, o, n = constants
    assert k.parents is not None
    assert [(each.name.name, each.unique) for each in k.parents] == [("a", True), ("b", False)]
    assert (k.unique, k.complete, o.parents, n.parents, n.complete) == (True, True, (), None, True)
    functions = [each for each in program.declarations if isinstance(each, st.FunctionDecl)]
    f, g, _ = functions
    assert [each.name for each in f.parameters] == ["x", "", "y"]
    assert attributes.flag(f.attributes, "inline")
    assert attributes.string(g.attributes, "bvbuiltin") == "bvadd"
    (procedure,) = [each for each in program.declarations if isinstance(each, st.ProcedureDecl)]
    assert [type(each).__name__ for each in procedure.contract] == [
        "Requires",
        "Ensures",
        "Modifies",
        "Modifies",
        "Requires",
    ]


def test_attributes() -> None:
    program = parse_program(text='axiom {:a} {:b "s", 1 + 2, x} {:inline 3} {:inline false} true;')
    (axiom,) = program.declarations
    assert isinstance(axiom, st.AxiomDecl)
    assert [each.name for each in axiom.attributes] == ["a", "b", "inline", "inline"]
    assert len(axiom.attributes[1].arguments) == 3
    assert attributes.flag(axiom.attributes, "a")
    assert not attributes.flag(axiom.attributes, "inline", default=True)
    assert not attributes.flag(axiom.attributes, "none")
    assert attributes.number(axiom.attributes, "inline") is None
    assert attributes.number(axiom.attributes[:3], "inline") == 3
    assert attributes.string(axiom.attributes, "b") == "s"
    assert attributes.find(axiom.attributes, "none") is None


STATEMENTS = """
var g: int; var m: [int][int, bool]int; const c: int;
procedure P<T>(x: int, t: T) returns (y: int, u: T)
  modifies g, m;
{
  var i, j: int;
  start: next:
  assert {:a} i > 0; assume {:b} j > 0; havoc {:c} i, g;
  i, m[i][j, true], g := {:z} 1, 2, 3;
  call {:d} y, u := P(i, t); free call i, u := P(1, t); call Nothing();
  if (*) { i := 0; } else if (i > 0) { } else { while (*) { break; } }
  out: while {:e} (i < 3) invariant {:f} true; free invariant i > 0; { if (*) { break out; } }
  goto start, next;
  return;
}
procedure Nothing();
"""


def test_statements() -> None:
    found = checked(STATEMENTS)
    implementation = found.procedures["P"].implementations[0]
    kinds = [type(each).__name__ for each in implementation.body.statements]
    expected = "Label Label Assert Assume Havoc Assign Call Call Call If Label While Goto Return"
    assert kinds == expected.split()
    assert [each.name for each in implementation.locals] == ["i", "j"]
    assert [each.kind for each in implementation.results] == [Kind.OUT, Kind.OUT]
    assert [each.name for each in found.procedures["P"].modifies] == ["g", "m"]
    assert found.globals["g"] is found.procedures["P"].modifies[0]
    assert [each.free for each in implementation.body.statements if isinstance(each, st.Call)] == [
        False,
        True,
        False,
    ]


def test_break_knows_what_it_leaves() -> None:
    found = checked(STATEMENTS)
    statements = found.procedures["P"].implementations[0].body.statements
    loop = statements[-3]
    assert isinstance(loop, st.While)
    inner = loop.body[0]
    assert isinstance(inner, st.If)
    leave = inner.then[0]
    assert isinstance(leave, st.Break)
    assert found.left_by(leave) is loop


def test_names_are_tied_to_declarations() -> None:
    found = checked(
        """
var x: int;
procedure P(y: int) returns (z: int)
  ensures (forall x: int :: x + y > old(x) ==> z > (var z := x; z));
{ var x: bool; x := (exists x: int :: x > y); z := 1; }
"""
    )
    procedure = found.procedures["P"]
    (ensures,) = procedure.ensures
    quantifier = ensures.condition
    assert isinstance(quantifier, s.Quantifier)
    bound = found.symbol_of(quantifier.variables[0])
    uses = [
        symbol.kind
        for node, symbol in found.tables.symbols.items()
        if isinstance(node, s.Identifier) and symbol is bound
    ]
    assert uses == [Kind.BOUND] * 3
    assign = procedure.implementations[0].body.statements[0]
    assert isinstance(assign, st.Assign)
    local = found.symbol_of(assign.targets[0].variable)
    assert local is procedure.implementations[0].locals[0]
    assert type_name(local.type) == "bool"


def test_separate_implementations() -> None:
    found = checked(
        """
procedure P<a>(x: a) returns (y: a);
implementation P<b>(u: b) returns (v: b) { v := u; }
implementation P<c>(u: c) returns (v: c) { v := u; }
"""
    )
    first, second = found.procedures["P"].implementations
    assert first.parameters[0].type is first.type_parameters[0]
    assert first.type_parameters[0] is not second.type_parameters[0]
    assert [each.name for each in first.parameters] == ["u"]


def test_type_instances_of_calls_and_targets() -> None:
    found = checked(
        """
type Field _; type ref;
var h: [int]<a>[ref, Field a]a; var b: Field bool;
procedure Id<t>(x: t) returns (y: t);
procedure P(r: ref) returns (z: bool) modifies h; { call z := Id(true); h[1][r, b] := z; }
"""
    )
    call, assign = found.procedures["P"].implementations[0].body.statements
    assert [str(each) for each in found.instances_of(call)] == ["bool"]
    assert isinstance(assign, st.Assign)
    assert [str(each) for each in found.instances_of(assign.targets[0])] == ["bool"]
    found = checked(
        """
type Field _; var m: <a>[Field a]<b>[Field b]int; var i: Field int; var b: Field bool;
procedure P() modifies m; { m[i][b] := 1; }
"""
    )
    (assign,) = found.procedures["P"].implementations[0].body.statements
    assert isinstance(assign, st.Assign)
    assert [str(each) for each in found.instances_of(assign.targets[0])] == ["int", "bool"]


def test_equality_of_polymorphic_maps_ignores_names_and_order() -> None:
    assert not messages("const a: <x, y>[x, y]y; const b: <q, p>[p, q]q; axiom a == b;")
    assert messages("const a: <x, y>[x, y]y; const b: <q, p>[p, q]p; axiom a == b;")


def test_a_map_whose_result_alone_is_polymorphic() -> None:
    found = checked("const m: <a>[int]a; axiom m[1] == 3 && m[2];")
    assert str(found.constants["m"].type) == "<a>[int]a"


def test_user_types_win_over_names_of_builtin_ones() -> None:
    found = checked("type string a; const s: string int; axiom s == s;")
    assert str(found.constants["s"].type) == "string int"
