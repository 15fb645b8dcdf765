// verify /infer:j: 1 verified, 0 errors
// verify /infer:t: 0 verified, 1 error: assert 11
// reach: no bug
// The counter goes 0, 3, 6, 9, 12, so it is 12 at the end; intervals know that it is from 10 to 12,
// which is all that is asserted.  Without invariants the loop may end with any number from 10 on.
procedure {:entrypoint} count()
{
  var i: int;
  i := 0;
  while (i < 10) { i := i + 3; }
  assert i <= 12;
}
