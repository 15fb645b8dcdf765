// verify: 0 verified, 1 error: assert 10
// reach: bug at 10
// The body is left at once, so there is no loop. Still the invariant must hold where it stands, and x
// may be anything there.
procedure {:entrypoint} Main()
{
  var x: int;

  while (true)
    invariant x == 7;
  {
    break;
  }
}
