// verify /infer:j: 0 verified, 1 error: assert 10
// reach: bug at 10
// Intervals know that the counter is 10 or 11 at the end; it is 11, as it is never odd before the
// last step but one: 1, 3, 5, 7, 9, 11.
procedure {:entrypoint} odd()
{
  var i: int;
  i := 1;
  while (i < 10) { i := i + 2; }
  assert i == 10;
}
