// verify: 0 verified, 1 error: invariant 12
// verify /alwaysAssumeFreeLoopInvariants: 1 verified, 0 errors
// reach: no bug
// With the free invariant assumed after each turn as well, the other one is kept: `i` is below 7
// there.  The search runs 0, 2, 4, 6 and assumes then that 8 is never reached.
procedure {:entrypoint} main()
{
  var i: int;
  i := 0;
  while (i < 9)
    free invariant i < 7;
    invariant i < 8;
  { i := i + 2; }
}
