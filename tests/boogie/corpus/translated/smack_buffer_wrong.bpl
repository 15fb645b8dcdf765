// Translated C again: a copying loop that runs to "<=", and writes behind the end of the buffer.
// verify: 3 verified, 1 error: assert 26
// reach: bug at 26
type ref = int;
var $M.0, $M.1: [ref]int;
var $CurrAddr: ref;
var $Size: [ref]int;
var $Alloc: [ref]bool;

function {:inline} $add.ref(p1: ref, p2: ref) returns (ref) { p1 + p2 }
function {:inline} $sle.i32(a: int, b: int) returns (int) { if a <= b then 1 else 0 }

procedure $alloc(n: int) returns (p: ref)
  modifies $CurrAddr, $Alloc, $Size;
  ensures p == old($CurrAddr) && $CurrAddr > old($CurrAddr) + n;
{
  p := $CurrAddr;
  assume n >= 0;
  $CurrAddr := $CurrAddr + n + 1;
  $Alloc[p] := true;
  $Size[p] := n;
}

procedure __SMACK_check_memory_safety(base: ref, pointer: ref)
{
  assert {:sourceloc "copy.c", 9, 5} $Alloc[base] && pointer < base + $Size[base];
}

procedure copy($p0: ref, $p1: ref, $i2: int)
  modifies $M.1;
{
  var $i3, $i4: int;

$bb0:
  $i3 := 0;
  goto $bb1;
$bb1:
  $i4 := $sle.i32($i3, $i2);
  goto $bb2, $bb3;
$bb2:
  assume $i4 == 1;
  call __SMACK_check_memory_safety($p1, $add.ref($p1, $i3));
  $M.1 := $M.1[$add.ref($p1, $i3) := $M.0[$add.ref($p0, $i3)]];
  $i3 := $i3 + 1;
  goto $bb1;
$bb3:
  assume !($i4 == 1);
  return;
}

procedure {:entrypoint} main() returns ($r: int)
  modifies $CurrAddr, $Alloc, $Size, $M.0, $M.1;
{
  var from, to: ref;

  $CurrAddr := 4096;
  call from := $alloc(2);
  call to := $alloc(2);
  $M.0[from] := 104;
  $M.0[from + 1] := 0;
  call copy(from, to, 2);
  $r := 0;
}
