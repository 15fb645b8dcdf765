// A code expression calls a procedure that reads a global variable which nothing else reads.
// verify: 1 verified, 1 error: assert 21
// reach: no bug
// reach --main Wrong: bug at 21
// In Right the variable is 0, so that the call gives true; in Wrong it is 1, and the call gives false.
var mode: int;

procedure {:inline 1} IsIdle() returns (x: bool) { x := mode == 0; }

procedure {:entrypoint} Right()
  modifies mode;
{
  mode := 0;
  assert |{ var b: bool; A: call b := IsIdle(); return b; }|;
}

procedure Wrong()
  modifies mode;
{
  mode := 1;
  assert |{ var b: bool; A: call b := IsIdle(); return b; }|;
}
