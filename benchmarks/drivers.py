"""Programs for the search for bugs: call trees that explode, and code like that of drivers."""

from __future__ import annotations

import random

# --- a family whose call trees grow exponentially ----------------------------------------------


def doubling(depth: int, bug: bool) -> str:
    """Each procedure calls the next one twice (section 3.2), behind a choice that may skip it."""
    steps = [
        f"procedure p{number}(n: int) returns (r: int) {{\n"
        f"  r := n;\n"
        f"  if (n > {number}) {{ call r := p{number + 1}(n); call r := p{number + 1}(r); }}\n"
        f"}}\n"
        for number in range(depth)
    ]
    last = f"procedure p{depth}(n: int) returns (r: int) {{ r := n; assert n < 1000; }}\n"
    limit = 2000 if bug else 900
    main = (
        "procedure {:entrypoint} main(n: int) {\n"
        f"  var r: int;\n  assume 0 < n && n < {limit};\n  call r := p0(n);\n}}\n"
    )
    return "".join([*steps, last, main])


# --- drivers -----------------------------------------------------------------------------------

_PRELUDE = """\
type name;
const unique IRP: name;
const unique DEVICE: name;
var lock: bool;
var irql: int;
var pending: [int]int;
var status: [int]int;
var kind: [int]name;
var alloc: int;
function {:inline true} FIELD(object: int, offset: int) returns (int) { object + offset }

procedure acquire()
  modifies lock, irql;
{
  assert !lock;
  lock := true;
  irql := 2;
}

procedure release()
  modifies lock, irql;
{
  assert lock;
  lock := false;
  irql := 0;
}

procedure new(size: int, its: name) returns (object: int)
  modifies alloc, kind;
{
  assume size > 0;
  object := alloc;
  kind[object] := its;
  alloc := alloc + size;
}
"""

_LEAF = """
procedure @(request: int, n: int) returns (r: int)
  modifies status, pending;
{
  r := status[FIELD(request, @k)];
  if (n > @c) { pending[request] := n - 1; }
  status[FIELD(request, @k)] := r + n;
}
"""

_CHOICE = """
procedure @(request: int, n: int) returns (r: int)
  modifies @m;
{
  r := n;
  if (pending[request] == @c) { call r := @a(request, n); }
  else { call r := @b(FIELD(request, @k), r); }
}
"""

_OBJECT = """
procedure @(request: int, n: int) returns (r: int)
  modifies @m;
{
  var object: int;
  call object := new(@c + 1, DEVICE);
  call r := @a(object, n);
  call r := @b(object, r);
  status[object] := r;
}
"""

_LOCKED = """
procedure @(request: int, n: int) returns (r: int)
  modifies @m;
{
  call acquire();
  call r := @a(request, n + 1);
  if (r > @c) { call r := @b(request, r); }
  pending[FIELD(request, @k)] := r;
  call release();
}
"""

_ROUTINES = 24
_MEMORY = "alloc, kind, status, pending"
_ALL = f"lock, irql, {_MEMORY}"


def driver(procedures: int = 5000, depth: int = 6, seed: int = 0) -> str:
    """A driver in which, so many calls below `main`, a lock is taken that is held already.

    Of 24 dispatch routines each has some procedures below it that take the lock around calls of
    others that do not, which are most of the program.
    """
    chosen = random.Random(seed)
    locking = {
        f"routine_{number}_{level}_{place}": (number, level)
        for number in range(_ROUTINES)
        for level in range(depth)
        for place in range(1 if level == 0 else 3)
    }
    helpers = [f"helper_{number}" for number in range(procedures - len(locking) - 4)]
    parts = [_PRELUDE, _main(chosen)]
    for name, (number, level) in locking.items():
        below = [f"routine_{number}_{level + 1}_{place}" for place in range(3)]
        if level + 1 == depth:
            kind, calls = _LOCKED, chosen.sample(helpers, 2)
        else:
            kind, calls = chosen.choice((_CHOICE, _OBJECT)), chosen.sample(below, 2)
        if name == f"routine_{_ROUTINES - 3}_{depth - 2}_1":
            kind, calls = _LOCKED, [chosen.choice(helpers), below[0]]
        parts.append(_filled(kind, name, calls, _ALL, chosen))
    for place, name in enumerate(helpers):
        later = helpers[place + 1 : place + 200]
        if len(later) < 2 or place % 3 == 0:
            parts.append(_filled(_LEAF, name, ["", ""], "", chosen))
        else:
            kind = chosen.choice((_CHOICE, _OBJECT))
            parts.append(_filled(kind, name, chosen.sample(later, 2), _MEMORY, chosen))
    return "".join(parts)


def _main(chosen: random.Random) -> str:
    lines = [
        "",
        "procedure {:entrypoint} main(request: int)",
        f"  modifies {_ALL};",
        "{",
        "  var r: int;",
        "  assume !lock && irql == 0 && alloc > 0;",
        "  havoc r;",
    ]
    for number in range(_ROUTINES):
        lines.append(f"  if (r == {number}) {{ call r := routine_{number}_0_0(request, r); }} else")
    return "\n".join([*lines, "  { r := 0; }", "  assert !lock;", "}", ""])


def _filled(kind: str, name: str, calls: list[str], modified: str, chosen: random.Random) -> str:
    text = (
        kind.replace("@m", modified).replace("@a(", f"{calls[0]}(").replace("@b(", f"{calls[1]}(")
    )
    text = text.replace("@k", str(4 * chosen.randrange(1, 20))).replace(
        "@c", str(chosen.randrange(9))
    )
    return text.replace("@(", f"{name}(")


# --- what a translator of C brings with it --------------------------------------------------------

_TRANSLATED = """\
type name;
type pointer = int;
function field(object: pointer, its: name) returns (pointer);
function inverse(place: pointer, its: name) returns (pointer);
function offset(its: name) returns (int);
function size(its: name) returns (int);
function derives(its: name, from: name) returns (bool);
function base(place: pointer) returns (pointer);
function add(place: pointer, size: int, index: int) returns (pointer);
function bits(left: int, right: int) returns (int);
axiom (forall o: pointer, n: name :: {field(o, n)} field(o, n) == o + offset(n));
axiom (forall o: pointer, n: name :: {field(o, n)} inverse(field(o, n), n) == o);
axiom (forall p: pointer, s: int, i: int :: {add(p, s, i)} add(p, s, i) == p + s * i);
axiom (forall p: pointer, n: name :: {base(field(p, n))} base(field(p, n)) == base(p));
axiom (forall n: name :: {size(n)} size(n) > 0);
axiom (forall n: name :: {derives(n, n)} derives(n, n));
axiom (forall a, b, c: name :: {derives(a, b), derives(b, c)}
  derives(a, b) && derives(b, c) ==> derives(a, c));
axiom (forall a: int :: {bits(a, 0)} bits(a, 0) == 0);
axiom (forall a, b: int :: {bits(a, b)} bits(a, b) == bits(b, a));
var irql: int;
var alloc: int;
var held: [pointer]bool;
var memory: [name][pointer]int;
procedure allocate(size: int) returns (new: pointer);
  free requires size >= 0;
  modifies alloc;
  free ensures new == old(alloc) && new > 0 && base(new) == new;
  free ensures alloc > old(alloc) + size;
procedure acquire(lock: pointer)
{
  assert !held[lock];
  held[lock] := true;
  irql := 2;
}
procedure release(lock: pointer)
{
  assert held[lock];
  held[lock] := false;
  irql := 0;
}
"""

_ROUTINE = """
procedure {:source "driver.c"} Dispatch@N(device: pointer, request: pointer, code: int)
  returns (r: int)
{
  var status: int;
  var count: int;
  var stack: pointer;
  var next: pointer;
  var temporary: pointer;
entry:
  assume {:sourcefile "driver.c"} {:sourceline @N} true;
  stack := memory[@F1][field(request, @F1)];
  count := memory[@F2][field(device, @F2)];
  call temporary := allocate(@K);
  memory[@F3] := memory[@F3][field(temporary, @F3) := count + @K];
  memory[@F2][field(device, @F2)] := bits(count, 0) + memory[@F3][field(temporary, @F3)];
  goto pending, completed;
pending:
  assume {:sourceline @N} stack != 0 && count > @K;
  memory[@F4][field(stack, @F4)] := @N;
  next := add(stack, 4, @K);
  call {:cexpr "next->status"} status := @CALLEE1(device, next, code + 1);
  goto checked;
completed:
  assume {:sourceline @N} !(stack != 0 && count > @K);
  memory[@F5][field(request, @F5)] := code;
  call {:cexpr "request->status"} status := @CALLEE2(device, request, code);
  goto checked;
checked:
  assume {:sourcefile "driver.c"} {:sourceline @N} true;
  if (status < 0) {
    memory[@F5][field(request, @F5)] := status;
  } else {
    memory[@F1][field(device, @F1)] := memory[@F4][field(stack, @F4)] + status;
  }
@LOCKED
  r := status + memory[@F3][field(temporary, @F3)] - count;
  return;
}
"""

_SHORT = """
procedure {:source "driver.c"} Dispatch@N(device: pointer, request: pointer, code: int)
  returns (r: int)
{
  var status: int;
  assume {:sourcefile "driver.c"} {:sourceline @N} true;
  status := memory[@F1][field(device, @F1)];
  if (bits(status, @K) == code) {
    memory[@F2][field(request, @F2)] := status + @K;
  }
  call {:cexpr "request->status"} status := @CALLEE1(device, request, code + 1);
@LOCKED
  r := status;
}
"""

_GUARDED = """\
  call acquire(field(device, @L));
  if (memory[@F1][field(request, @F1)] > @K) {
    memory[@F2][field(device, @F2)] := 0;@EARLY
  }
  call release(field(device, @L));"""


def translated(
    procedures: int = 400, constants: int = 1172, bug: bool = True, every: int = 25
) -> str:
    """A driver as a translator of C writes it: 500 KB, many unique names, axioms with triggers.

    There are no modifies clauses, and one routine in `every` so many takes a lock.  With a bug one
    of them, some calls below `main`, returns in the middle of its work and keeps the lock.
    """
    chosen = random.Random(7)
    names = [f"its.member_{number}" for number in range(constants)]
    parts = [_TRANSLATED]
    parts += [f"const unique {name}: name;\n" for name in names]
    parts += [f"axiom offset({name}) == {4 * number};\n" for number, name in enumerate(names)]
    parts.append(_entry(names))
    lock = names[0]
    wrong = procedures // 16
    for number in range(procedures):
        later = range(2 * number + 1, 2 * number + 3)
        callees = [f"Dispatch{one}" if one < procedures else "Leaf" for one in later]
        text = _ROUTINE if number < procedures // 2 else _SHORT
        guarded = _GUARDED if number % every == 0 or number == wrong else ""
        early = f"\n    r := {number};\n    return;" if bug and number == wrong else ""
        text = text.replace("@LOCKED", guarded.replace("@EARLY", early)).replace("@L", lock)
        for place in range(1, 6):
            text = text.replace(f"@F{place}", chosen.choice(names))
        for place, callee in enumerate(callees, 1):
            text = text.replace(f"@CALLEE{place}", callee)
        parts.append(text.replace("@N", str(number)).replace("@K", str(chosen.randrange(1, 9))))
    return "".join(parts)


def _entry(names: list[str]) -> str:
    return (
        "procedure Leaf(device: pointer, request: pointer, code: int) returns (r: int)\n"
        f"{{\n  r := memory[{names[1]}][field(request, {names[1]})] + code;\n}}\n"
        "procedure {:entrypoint} main(device: pointer, request: pointer)\n"
        "{\n  var r: int;\n"
        "  assume device > 0 && request > 0 && alloc > device && alloc > request;\n"
        f"  assume !held[field(device, {names[0]})];\n"
        "  call r := Dispatch0(device, request, 0);\n"
        f"  assert !held[field(device, {names[0]})];\n}}\n"
    )
