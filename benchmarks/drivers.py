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
