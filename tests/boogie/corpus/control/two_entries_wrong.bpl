// verify: 0 verified, 1 error: assert 13
// reach: bug at 13
// A loop with two entries: from B to C at once x is 1, so that it is not 2 everywhere at C. Through A it is
// 2 at least.
procedure {:entrypoint} Main()
{
  var x: int;

  x := 0;
  goto A, B;
  A: x := x + 1; goto B;
  B: x := x + 1; goto A, C;
  C: assert x >= 2; return;
}
