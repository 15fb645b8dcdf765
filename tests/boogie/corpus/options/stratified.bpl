// verify /stratifiedInline:1: 0 verified, 1 error: assert 16
// verify: 1 verified, 1 error: assert 16
// reach: bug at 16
// Calls are followed, so that the first assertion of `main` holds without a contract of `add`; the
// second is wrong: 2 + 3 is 5.  By contract `add` may do anything, and both could fail.
var sum: int;
procedure add(n: int) modifies sum; ensures sum == old(sum) + n;
{ sum := sum + n; }
procedure {:entrypoint} main() modifies sum;
{
  sum := 0;
  call add(2);
  assert sum == 2;
  call add(3);
  assert sum > 2;
  assert sum == 6;
}
