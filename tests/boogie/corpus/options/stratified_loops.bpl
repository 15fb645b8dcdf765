// verify /stratifiedInline:1 /extractLoops: 1 verified, 0 errors
// verify /stratifiedInline:1 /deterministicExtractLoops: 1 verified, 0 errors
// verify: 0 verified, 1 error: assert 11
// reach: no bug
// The loop runs from 0 to 6 and is searched to its end, without an invariant.
procedure {:entrypoint} main()
{
  var i: int;
  i := 0;
  while (i < 6) { i := i + 1; }
  assert i == 6;
}
