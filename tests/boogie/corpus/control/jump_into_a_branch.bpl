// verify: 1 verified, 0 errors
// reach: no bug
// The first side jumps into the second one: x is 1 + 1 there, and 5 + 1 without the jump.
procedure {:entrypoint} Main(c: bool)
{
  var x: int;

  x := 0;
  if (c) {
    x := 1;
    goto L;
  } else {
    x := 5;
    L: x := x + 1;
  }
  assert x == 2 || x == 6;
}
