// verify: 0 verified, 2 errors: assert 10, assert 15
// The mark is on one of two ways.  After they have met everything is checked; the other way is not,
// so that `n` is known to be below 0 there.
procedure {:selective_checking} main(n: int)
{
  var m: int;
  m := n;
  if (n > 0) {
    assume {:start_checking_here} true;
    assert n > 1;
    m := 0 - n;
  } else {
    assert n < 0;
  }
  assert m < -1;
  assert m < 0;
}
