// verify /subsumption:0: 0 verified, 2 errors: assert 8, assert 9
// verify: 0 verified, 1 error: assert 8
// reach: bug at 8
// The second condition follows from the first, which fails for -5.
procedure {:entrypoint} main(n: int)
{
  assume n > -9;
  assert n > 0;
  assert n > -5;
}
