"""Large programs as a translator of C drivers would write them."""

from __future__ import annotations

_PRELUDE = """
type name;
var alloc: int;
var Mem_T.INT4: [int]int;
var Mem_T.PINT4: [int]int;
var {:scalar} lock: bool;
const unique irql.field: name;
function INT_ADD(a: int, b: int) returns (x: int);
function {:inline true} PLUS(a: int, size: int, b: int) returns (int) { a + size * b }
axiom (forall a: int, b: int :: {INT_ADD(a, b)} INT_ADD(a, b) == a + b);
procedure malloc(size: int) returns (new: int);
  free requires size >= 0;
  modifies alloc;
  free ensures new == old(alloc);
  free ensures alloc >= old(alloc) + size;
"""

_PROCEDURE = """
procedure {:source "driver.c"} $dispatch_@N(arg_@N: int) returns (result_@N: int)
  modifies alloc, Mem_T.INT4, Mem_T.PINT4, lock;
  requires arg_@N >= 0;
{
  var $x_@N.1: int;
  var $y_@N.2: int;
  var count: int where count >= 0;
start:
  assume {:sourcefile "driver.c"} {:sourceline @N} true;
  assert {:sourceline @N} arg_@N >= 0 && PLUS(arg_@N, 4, 2) >= 0;
  $x_@N.1 := Mem_T.INT4[PLUS(arg_@N, 4, 1)];
  Mem_T.INT4[PLUS(arg_@N, 4, 1)] := $x_@N.1 + 1;
  goto locked, unlocked;
locked:
  assume $x_@N.1 != 0;
  assume !lock;
  lock := true;
  call {:cexpr "request->next"} $y_@N.2 := @CALLEE(arg_@N + 1);
  Mem_T.PINT4 := Mem_T.PINT4[$y_@N.2 := $x_@N.1][INT_ADD(arg_@N, 4) := 17];
  goto exit;
unlocked:
  assume $x_@N.1 == 0;
  while (count < 10)
    invariant count >= 0;
  {
    if (Mem_T.INT4[count] > 5 || count == 3) {
      count := count + 2;
    } else {
      count := count + 1;
    }
  }
  goto exit;
exit:
  result_@N := $y_@N.2 - (if lock then 1 else 0);
  return;
}
"""


def driver(size: int) -> str:
    """A program of at least `size` characters, each of whose procedures calls the next."""
    parts, length, number = [_PRELUDE], len(_PRELUDE), 0
    while length < size:
        callee = f"$dispatch_{number + 1}"
        part = _PROCEDURE.replace("@N", str(number)).replace("@CALLEE", callee)
        parts.append(part)
        length += len(part)
        number += 1
    last = _PROCEDURE.replace("@N", str(number)).replace("@CALLEE", "malloc")
    return "".join((*parts, last))
