// verify: 0 verified, 1 error: assert 12
// reach: bug at 12
// The first iteration begins in the middle of the body, so that x is 1 where the invariant is met first.
// The head of the loop is L: the invariant is an assertion inside of it.
procedure {:entrypoint} Main()
{
  var x: int;

  x := 0;
  goto L;
  while (x < 5)
    invariant x == 0;
  {
    x := x + 2;
    L: x := x + 1;
  }
}
