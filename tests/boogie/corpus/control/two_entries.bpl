// verify: 1 verified, 0 errors
// reach: no bug
// A loop with two entries. Both of its assertions are invariants of it: x is 0 or 1 before, and grows.
procedure {:entrypoint} Main(c: bool)
{
  var x: int;

  x := 0;
  goto A, B;
  A: assert x >= 0; x := x + 1; goto B;
  B: assert x >= 0; x := x + 1; goto A, C;
  C: assert x >= 0; return;
}
