// verify /loopUnroll:2: 1 verified, 0 errors
// verify /loopUnroll:3: 0 verified, 1 error: assert 9
// reach: bug at 9
// The third turn makes `i` 3; two turns are not enough for that.
procedure {:entrypoint} main()
{
  var i: int;
  i := 0;
  while (i < 9) { i := i + 1; assert i != 3; }
}
