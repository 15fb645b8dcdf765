// verify /subsumption:1: 0 verified, 3 errors: assert 9, assert 10, assert 11
// verify /subsumption:2: 0 verified, 2 errors: assert 9, assert 11
// reach: bug at 9
// What has a quantifier is not assumed with 1, so the same condition may fail again; what has none
// is, but the last condition follows from neither.
procedure {:entrypoint} main(m: [int]int, n: int)
{
  var k: int;
  assert (forall i: int :: m[i] > n);
  assert (forall i: int :: m[i] > n);
  assert k > 0;
}
