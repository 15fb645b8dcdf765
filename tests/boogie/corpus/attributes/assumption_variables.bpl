// verify: 0 verified, 1 error: assert 12
// reach: bug at 12
// The variable is true at first, and says of each part what was assumed there; it says nothing of
// numbers that are not positive in the end, as these leave it false.
procedure {:entrypoint} main(n: int)
{
  var {:assumption} a: bool;
  assert a;
  a := a && n > 0;
  assert a ==> n > 0;
  if (n > 5) { assert a; }
  assert a;
}
