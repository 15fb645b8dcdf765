// What a translator of LLVM makes of a small C program with a loop over an array on the heap.
// verify: 2 verified, 2 errors: assert 35, assert 67
// reach: no bug
type ref = int;
type i1 = int;
type i8 = int;
type i32 = int;
type i64 = int;

const $0: int;
axiom $0 == 0;
const $1: int;
axiom $1 == 1;
const {:count 2} $GLOBALS_BOTTOM: int;
axiom $GLOBALS_BOTTOM == -4096;
const $MALLOC_TOP: int;
axiom $MALLOC_TOP == 9223372036854775807;

var $M.0: [ref]i32;
var $CurrAddr: ref;
var $exn: bool;
var $exnv: int;

function {:inline} $add.i32(i1: i32, i2: i32) returns (i32) { i1 + i2 }
function {:inline} $add.ref(p1: ref, p2: ref) returns (ref) { p1 + p2 }
function {:inline} $mul.ref(p1: ref, p2: ref) returns (ref) { p1 * p2 }
function {:inline} $slt.i32(i1: i32, i2: i32) returns (i1) { if i1 < i2 then 1 else 0 }
function {:inline} $sgt.i32(i1: i32, i2: i32) returns (i1) { if i1 > i2 then 1 else 0 }
function {:inline} $sle.i32(i1: i32, i2: i32) returns (i1) { if i1 <= i2 then 1 else 0 }
function {:inline} $load.i32(M: [ref]i32, p: ref) returns (i32) { M[p] }
function {:inline} $store.i32(M: [ref]i32, p: ref, i: i32) returns ([ref]i32) { M[p := i] }

procedure {:origname "__VERIFIER_assert"} __VERIFIER_assert(x: i32)
{
  assert {:sourceloc "smack.c", 41, 3} x != $0;
}

procedure __VERIFIER_nondet_int() returns ($r: i32);

procedure {:origname "malloc"} $malloc(n: ref) returns (p: ref)
  requires n >= 0;
  modifies $CurrAddr;
  ensures p == old($CurrAddr) && $CurrAddr == p + n;
{
  p := $CurrAddr;
  $CurrAddr := $CurrAddr + n;
}

procedure {:origname "maximum"} maximum($p0: ref, $i1: i32) returns ($r: i32)
  modifies $exn;
{
  var $i2, $i4, $i6, $i7, $i8: i32;
  var $i3, $i5: i1;
  var $p9: ref;

$bb0:
  assume {:sourceloc "max.c", 5, 13} true;
  $i2 := $load.i32($M.0, $p0);
  $i4 := 1;
  goto $bb1;
$bb1:
  assume {:sourceloc "max.c", 6, 20} true;
  $i3 := $slt.i32($i4, $i1);
  goto $bb2, $bb3;
$bb2:
  assume $i3 == 1;
  assert {:overflow} $i4 >= 0;
  $p9 := $add.ref($p0, $mul.ref($i4, 4));
  $i6 := $load.i32($M.0, $p9);
  $i5 := $sgt.i32($i6, $i2);
  goto $bb4, $bb5;
$bb3:
  assume !($i3 == 1);
  $r := $i2;
  $exn := false;
  return;
$bb4:
  assume {:branchcond $i5} $i5 == 1;
  $i7 := $i6;
  goto $bb6;
$bb5:
  assume !($i5 == 1);
  $i7 := $i2;
  goto $bb6;
$bb6:
  $i8 := $add.i32($i4, 1);
  $i2, $i4 := $i7, $i8;
  goto $bb1;
}

procedure {:entrypoint} {:origname "main"} main() returns ($r: i32)
  modifies $CurrAddr, $M.0, $exn;
{
  var $p0: ref;
  var $i1, $i2, $i3, $i4: i32;

$bb0:
  $CurrAddr := 1024;
  call $p0 := $malloc(12);
  call $i1 := __VERIFIER_nondet_int();
  $M.0 := $store.i32($M.0, $p0, $i1);
  call {:cexpr "y"} $i2 := __VERIFIER_nondet_int();
  $M.0 := $store.i32($M.0, $add.ref($p0, 4), $i2);
  $M.0 := $store.i32($M.0, $add.ref($p0, 8), 7);
  call $i3 := maximum($p0, 3);
  $i4 := $sle.i32($i1, $i3);
  call __VERIFIER_assert($i4);
  $i4 := $sle.i32(7, $i3);
  call __VERIFIER_assert($i4);
  $r := 0;
  return;
}
