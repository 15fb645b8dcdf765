"""Programs in C*, Boogie and Python, pages and witnesses: well formed, not always sensible."""

from __future__ import annotations

from tests.fuzz.grammars.rules import Grammar

CSTAR = Grammar(r"""
program: <main> | <global><main> | <global><procedure><main> | <procedure><program>
global: uint64_t x;\n | uint64_t* y;\n | uint64_t x = <literal>;\n | \
uint64_t z = (uint64_t) <literal>;\n
procedure: uint64_t f(uint64_t a) { uint64_t b; <block> return <expr>; }\n | \
void g(uint64_t* a, ...) { <block> }\n | uint64_t h();\n | \
uint64_t* k(uint64_t a, uint64_t b) { <block> }\n
main: uint64_t main() { uint64_t a; uint64_t* b; a = 1; <block> return <expr>; }\n | \
int main(int argc, char** argv) { uint64_t a; <block> return <expr>; }\n
block: <stmt> | <stmt> <stmt> | <stmt> <block>
stmt: a = <expr>; | *b = <expr>; | if (<expr>) { <block> } | \
if (<expr>) { <block> } else { <block> } | while (<expr>) { <block> } | return; | f(<expr>); | \
<call>; | *(b + <expr>) = <expr>; | x = <expr>; | ; | {}
call: exit(<expr>) | write(1, "a", <expr>) | read(0, b, <expr>) | malloc(<expr>) | f(<expr>) | \
g() | printf("%d")
expr: a | <literal> | <expr> + <expr> | <expr> * <expr> | <expr> / <expr> | <expr> % <expr> | \
<expr> == <expr> | <expr> < <expr> | (<expr>) | *b | *(b + <expr>) | - <expr> | \
(uint64_t*) <expr> | <call> | sizeof(uint64_t) | "text" | !<expr> | b | x | undefined
literal: 0 | 1 | 18446744073709551615 | 18446744073709551616 | 'a' | '\n' | 2147483648 | 007 | \
0x10
""")

BOOGIE = Grammar(r"""
program: <procedure> | <decl>\n<procedure> | <decl>\n<decl>\n<procedure>\n<procedure> | \
<decl>\n<program>
decl: var g: <type>; | const c: int; | const unique d: T extends c; | type T; | \
type M a b = [a]b; | axiom <expr>; | function h(x: int): int { <expr> } | \
function k<a>(x: a): int; | type {:datatype} D; | \
function {:inline} m(x: bool, y: int) returns (bool) { <expr> } | var m2: [int]<type>; | \
type U = <type>;
type: int | bool | real | bv8 | [int]int | [<type>]<type> | T | M int bool | <type> | U | \
float24e8
procedure: procedure p(x: int) returns (r: int) <spec> { <locals> <block> }\n | \
procedure q<a>(x: a) modifies g; <spec>;\n | \
implementation p(x: int) returns (r: int) { <block> }\n | \
procedure {:entrypoint} main() { <locals> <block> }\n
spec:  | requires <expr>; | ensures <expr>; | free requires <expr>; | modifies g; | <spec> <spec>
locals: var y: int; | var y: int; var z: bool where <expr>; | var y, w: <type>;
block: <stmt> | <stmt> <stmt> | <stmt> <block>
stmt: y := <expr>; | assert <expr>; | assume <expr>; | havoc y; | if (<expr>) { <block> } | \
if (*) { <block> } else { <block> } | while (<expr>) invariant <expr>; { <block> } | \
call p(<expr>); | call y := p(<expr>); | goto L, L2; | L: <stmt> | return; | break; | \
m2[<expr>] := <expr>; | y, w := <expr>, <expr>; | call forall p(*); | par p(1) | p(2); | \
assert {:subsumption 0} <expr>; | yield;
expr: x | y | 0 | true | 1.5 | 5bv8 | -<expr> | !<expr> | <expr> + <expr> | <expr> * <expr> | \
<expr> div <expr> | <expr> == <expr> | <expr> < <expr> | <expr> && <expr> | <expr> ==> <expr> | \
<expr> <==> <expr> | (forall i: int :: <expr>) | (exists<a> i: a :: {k(i)} <expr>) | \
(lambda i: int :: <expr>) | h(<expr>) | m2[<expr>] | m2[<expr> := <expr>] | old(<expr>) | \
if <expr> then <expr> else <expr> | <expr>[3:1] | <expr> ++ <expr> | int(<expr>) | \
|{ var l: bool; A: <stmt> return <expr>; }| | (<expr>) | c <: d | g | \
(let i := <expr>; <expr>) | 0x1.0e1f24e8
""")

HTML = Grammar(r"""
page: <doctype><html><body><element></body></html> | <element> | <element><page>
doctype:  | <!DOCTYPE html> | <?xml version="1.0"?> | <meta charset="utf-16">
element: <text> | <ul><li class=a><text><li class="b c"><text></ul> | \
<div id="<text>"><element></div> | <table><tr><td><element></td><td><text></table> | \
<p title='<text>'><element> | <a href=x><element></a> | <element><element> | <!-- <text> --> | \
<script><text></script> | <br/> | </div> | <x:y z:w="1"><element> | <svg><element></svg> | \
<![CDATA[<text>]]> | <form><input value="<text>"></form> | <b><i><element></b></i>
text:  | one | two & three | &amp;&#65;&#xd800;&nosuch; | a < b | é | &#0; | ' | " | \u2028
""")

PYTHON = Grammar(r"""
module: <def> | <def><def> | <global><def> | \
class C:\n    n = 1\n    def m(self, k: int):\n<block2>\n\n<def>
global: G = 3\n | import math\n | from dataclasses import dataclass\n | \
L: list[int] = [1, 2]\n | from os import nothing\n
def: def f(x: int, y: bool) -> int:\n<block>    return <expr>\n\n\n | \
def g(x, *a, k=1, **kw):\n<block>\n\n | async def h(x: int):\n<block>\n\n | \
@staticmethod\ndef d(x: "int"):\n<block>\n\n | def e(x: list[int]):\n<block>\n\n
block:     <simple>\n |     <simple>\n<block> |     if <expr>:\n<block2>    else:\n<block2> | \
    for i in <expr>:\n<block2> |     while <expr>:\n<block2> | \
    try:\n<block2>    except <exc> as e:\n<block2> |     with <expr> as c:\n<block2> | \
    match <expr>:\n        case <pattern>:\n            <simple>\n | \
    def inner(z):\n        nonlocal x\n<block2>
block2:         <simple>\n |         <simple>\n<block2>
simple: pass | x = <expr> | x += <expr> | return <expr> | assert <expr> | raise <exc>(<expr>) | \
del x | global G | yield <expr> | x = yield | break | continue | a, *b = <expr> | \
x: int = <expr> | print(<expr>) | x[<expr>] = <expr> | nonlocal x | await x | import math | \
(y := <expr>)
exc: ValueError | Exception | (TypeError, KeyError) | E
pattern: _ | 1 | [a, *rest] | {"k": v} | int(n) | C(n=1) | 1 | 2 | str() as s
expr: x | 1 | True | "t" | <expr> + <expr> | <expr> // <expr> | -<expr> | not <expr> | \
<expr> and <expr> | <expr> < <expr> <= <expr> | f(<expr>, <expr>) | [<expr>, <expr>] | \
{<expr>: <expr>} | (lambda z: <expr>) | [i for i in <expr> if <expr>] | \
<expr> if <expr> else <expr> | x[<expr>] | x.attr | f"{<expr>!r:>{x}}" | {*<expr>} | \
(i async for i in x) | 10**5000 | ... | x[1:<expr>] | range(<expr>) | (yield) | super().m() | \
__class__
""")

WITNESSES = Grammar(r"""
file: <witness> | <witness><file> | ; <text>\n<file>
witness: sat\n<props>\n<frames>.\n | unsat\n<props>\n<frames>. | sat\nb0\n.\n
props: b0 | b0 b1 | j0 | b<number> | b0 j0
frames: <frame> | <frame><frame> | #0\n<assign><frame>
frame: @<number>\n<assign> | #<number>\n<assign> | @0\n<assign><assign> | \n
assign:  | <number> <bits>\n | <number> <bits> name@0\n | <number> [<bits>] <bits> mem#0\n
number: 0 | 1 | 2 | 3 | 99 | 1000000000000 | 00 | -1
bits: 0 | 1 | 010 | 000 | x | 1111111111111111 | 2
text: a | a comment | \0
""")
