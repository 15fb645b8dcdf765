// Bubble sort on an array kept in a map; the result is sorted and is a permutation of the input.
// verify: 2 verified, 0 errors
procedure BubbleSort(a: [int]int, n: int) returns (b: [int]int, perm: [int]int)
  requires 0 <= n;
  ensures (forall i, j: int :: 0 <= i && i <= j && j < n ==> b[i] <= b[j]);
  ensures (forall i: int :: 0 <= i && i < n ==> 0 <= perm[i] && perm[i] < n);
  ensures (forall i: int :: {perm[i]} 0 <= i && i < n ==> b[i] == a[perm[i]]);
  ensures (forall i, j: int :: 0 <= i && i < j && j < n ==> perm[i] != perm[j]);
{
  var i, j: int;

  b := a;
  perm := (lambda k: int :: k);
  i := n;
  while (i > 0)
    invariant i <= n;
    invariant (forall k: int :: 0 <= k && k < n ==> 0 <= perm[k] && perm[k] < n);
    invariant (forall k: int :: 0 <= k && k < n ==> b[k] == a[perm[k]]);
    invariant (forall k, l: int :: 0 <= k && k < l && l < n ==> perm[k] != perm[l]);
    invariant (forall k, l: int :: 0 <= k && k <= l && i <= l && l < n ==> b[k] <= b[l]);
  {
    i := i - 1;
    j := 0;
    while (j < i)
      invariant 0 <= j && j <= i && i < n;
      invariant (forall k: int :: 0 <= k && k < n ==> 0 <= perm[k] && perm[k] < n);
      invariant (forall k: int :: 0 <= k && k < n ==> b[k] == a[perm[k]]);
      invariant (forall k, l: int :: 0 <= k && k < l && l < n ==> perm[k] != perm[l]);
      invariant (forall k, l: int :: 0 <= k && k <= l && i < l && l < n ==> b[k] <= b[l]);
      invariant (forall k: int :: 0 <= k && k <= j ==> b[k] <= b[j]);
    {
      if (b[j + 1] < b[j]) {
        b := b[j := b[j + 1]][j + 1 := b[j]];
        perm := perm[j := perm[j + 1]][j + 1 := perm[j]];
      }
      j := j + 1;
    }
  }
}

procedure {:entrypoint} Main(a: [int]int)
{
  var b, perm: [int]int;

  call b, perm := BubbleSort(a, 2);
  assert b[0] <= b[1];
}
