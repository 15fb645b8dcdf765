// The largest element, but the search starts with zero: arrays of negative numbers have none.
// verify: 0 verified, 2 errors: ensures 6, assert 27
// reach: bug at 20
procedure Max(a: [int]int, n: int) returns (high: int, at: int)
  requires n > 0;
  ensures 0 <= at && at < n && a[at] == high;
{
  var k: int;

  high, at, k := 0, 0, 0;
  while (k < n)
    invariant 0 <= k && k <= n && 0 <= at && at < n;
    invariant high == 0 || a[at] == high;
  {
    if (a[k] > high) {
      high, at := a[k], k;
    }
    k := k + 1;
  }
}

procedure {:entrypoint} Main(a: [int]int)
{
  var high, at: int;

  call high, at := Max(a, 2);
  assert a[0] <= high && a[1] <= high;
  assert high == a[0] || high == a[1];
}
