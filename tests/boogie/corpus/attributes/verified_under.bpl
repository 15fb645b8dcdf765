// verify: 1 verified, 1 error: assert 13
// reach: bug at 13
// In `known` all is verified elsewhere, and assumed.  In `partly` it is verified for even numbers
// only; for the odd ones it must be checked, and fails for 1.
procedure known(n: int)
{
  assert {:verified_under true} n > 7;
  assert n > 6;
}
procedure {:entrypoint} partly(n: int)
{
  call known(n);
  assert {:verified_under n mod 2 == 0} n > 9;
  assert n > 7;
}
