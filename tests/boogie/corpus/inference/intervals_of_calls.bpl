// verify /infer:j: 2 verified, 0 errors
// verify: 1 verified, 1 error: assert 16
// reach: no bug
// The callee promises a step of 1 or 2, so the level is never below 0, and a flag stays as it was.
var level: int;
procedure step() returns (by: int)
  ensures 1 <= by && by <= 2;
{ if (*) { by := 1; } else { by := 2; } }
procedure {:entrypoint} main() modifies level;
{
  var by: int; var ready: bool;
  level := 0;
  ready := true;
  while (level < 2) { call by := step(); level := level + by; }
  assert ready;
  assert level <= 3 && 0 <= level;
}
