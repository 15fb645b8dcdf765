// Removing duplicates from a sorted array in place.
// verify: 1 verified, 0 errors
// reach --recursion-bound 4: no bug within the recursion bound
procedure {:entrypoint} Compact(a: [int]int, n: int) returns (b: [int]int, m: int)
  requires n > 0;
  requires (forall i, j: int :: {a[i], a[j]} 0 <= i && i <= j && j < n ==> a[i] <= a[j]);
  ensures 0 < m && m <= n;
  ensures (forall i, j: int :: {b[i], b[j]} 0 <= i && i < j && j < m ==> b[i] < b[j]);
{
  var k: int;

  b, m, k := a, 1, 1;
  while (k < n)
    invariant 0 < m && m <= k && k <= n;
    invariant (forall i, j: int :: {b[i], b[j]} 0 <= i && i < j && j < m ==> b[i] < b[j]);
    invariant b[m - 1] == a[k - 1];
    invariant (forall i: int :: {b[i]} k <= i && i < n ==> b[i] == a[i]);
  {
    assert b[m - 1] <= b[k];
    if (b[k] != b[m - 1]) {
      b[m] := b[k];
      m := m + 1;
    }
    k := k + 1;
  }
}
