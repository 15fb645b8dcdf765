// The smallest and the largest element of an array, found in one pass.
// verify: 2 verified, 0 errors
// reach: no bug
procedure Extremes(a: [int]int, n: int) returns (low: int, high: int)
  requires n > 0;
  ensures (forall i: int :: 0 <= i && i < n ==> low <= a[i] && a[i] <= high);
  ensures (exists i: int :: {a[i]} 0 <= i && i < n && a[i] == low);
  ensures (exists i: int :: {a[i]} 0 <= i && i < n && a[i] == high);
{
  var k: int;

  low, high, k := a[0], a[0], 1;
  while (k < n)
    invariant 1 <= k && k <= n;
    invariant (forall i: int :: 0 <= i && i < k ==> low <= a[i] && a[i] <= high);
    invariant (exists i: int :: {a[i]} 0 <= i && i < n && a[i] == low);
    invariant (exists i: int :: {a[i]} 0 <= i && i < n && a[i] == high);
  {
    if (a[k] < low) {
      low := a[k];
    } else if (a[k] > high) {
      high := a[k];
    }
    k := k + 1;
  }
}

procedure {:entrypoint} Main(a: [int]int)
{
  var low, high: int;

  call low, high := Extremes(a, 3);
  assert low <= a[0] && a[2] <= high;
}
