// The merging step of merge sort.
// verify: 1 verified, 0 errors
// reach --main Merge --recursion-bound 3: no bug within the recursion bound
function {:inline} Sorted(a: [int]int, n: int) returns (bool)
{
  (forall i, j: int :: {a[i], a[j]} 0 <= i && i <= j && j < n ==> a[i] <= a[j])
}

procedure Merge(a: [int]int, m: int, b: [int]int, n: int) returns (c: [int]int)
  requires 0 <= m && 0 <= n;
  requires Sorted(a, m) && Sorted(b, n);
  ensures Sorted(c, m + n);
{
  var i, j, k: int;

  i, j, k := 0, 0, 0;
  while (k < m + n)
    invariant 0 <= i && i <= m && 0 <= j && j <= n && k == i + j;
    invariant Sorted(c, k);
    invariant i < m ==> (forall p: int :: {c[p]} 0 <= p && p < k ==> c[p] <= a[i]);
    invariant j < n ==> (forall p: int :: {c[p]} 0 <= p && p < k ==> c[p] <= b[j]);
  {
    assert i < m || j < n;
    if (j == n || (i < m && a[i] <= b[j])) {
      c[k] := a[i];
      i := i + 1;
    } else {
      c[k] := b[j];
      j := j + 1;
    }
    k := k + 1;
  }
}
