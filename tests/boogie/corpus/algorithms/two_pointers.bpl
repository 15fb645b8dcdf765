// In a sorted array, two elements with a given sum: one pointer from each end.
// verify: 2 verified, 0 errors
// reach: no bug
procedure PairWithSum(a: [int]int, n: int, target: int) returns (found: bool, i: int, j: int)
  requires (forall p, q: int :: 0 <= p && p <= q && q < n ==> a[p] <= a[q]);
  ensures found ==> 0 <= i && i < j && j < n && a[i] + a[j] == target;
  ensures !found ==>
    (forall p, q: int :: {a[p], a[q]} 0 <= p && p < q && q < n ==> a[p] + a[q] != target);
{
  i, j, found := 0, n - 1, false;
  while (i < j)
    invariant 0 <= i && j < n;
    invariant (forall p, q: int :: {a[p], a[q]}
      0 <= p && p < q && q < n && (p < i || j < q) ==> a[p] + a[q] != target);
  {
    if (a[i] + a[j] == target) {
      found := true;
      return;
    }
    if (a[i] + a[j] < target) {
      i := i + 1;
    } else {
      j := j - 1;
    }
  }
}

procedure {:entrypoint} Main()
{
  var a: [int]int, found: bool, i, j: int;

  a[0] := 1; a[1] := 4; a[2] := 6; a[3] := 9;
  assume (forall p, q: int :: 0 <= p && p <= q && q < 4 ==> a[p] <= a[q]);
  call found, i, j := PairWithSum(a, 4, 10);
  assert found ==> a[i] + a[j] == 10;
}
