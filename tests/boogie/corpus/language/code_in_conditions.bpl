// reach: bug at 14
// verify: 1 verified, 2 errors: assert 12, assert 14
// The code calls a procedure that reads `g`: 0 here, so the first condition holds in the search and
// the second does not.  By contract the procedure may return anything, so both may fail.
var g: int;
procedure zero() returns (x: bool);
procedure is_zero() returns (x: bool);
implementation is_zero() returns (x: bool) { x := g == 0; }
procedure {:entrypoint} main() modifies g;
{
  g := 0;
  assert |{ var b: bool; A: call b := is_zero(); return b; }|;
  g := 1;
  assert |{ var b: bool; A: call b := is_zero(); return b; }|;
}
