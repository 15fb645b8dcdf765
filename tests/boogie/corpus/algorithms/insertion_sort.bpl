// Insertion sort: proved for all arrays, and searched for arrays of three elements.
// verify: 2 verified, 0 errors
// reach: no bug
procedure Sort(a: [int]int, n: int) returns (b: [int]int)
  requires n >= 0;
  ensures (forall i, j: int :: 0 <= i && i <= j && j < n ==> b[i] <= b[j]);
{
  var k, m, x: int;

  b, k := a, 1;
  while (k < n)
    invariant 1 <= k;
    invariant (forall i, j: int :: 0 <= i && i <= j && j < k && j < n ==> b[i] <= b[j]);
  {
    x, m := b[k], k;
    while (m > 0 && b[m - 1] > x)
      invariant 0 <= m && m <= k && k < n;
      invariant (forall i, j: int ::
        0 <= i && i <= j && j <= k && i != m && j != m ==> b[i] <= b[j]);
      invariant (forall j: int :: m < j && j <= k ==> b[j] > x);
    {
      b[m] := b[m - 1];
      m := m - 1;
    }
    b[m] := x;
    k := k + 1;
  }
}

procedure {:entrypoint} Main(a: [int]int)
{
  var b: [int]int;

  call b := Sort(a, 3);
  assert b[0] <= b[1] && b[1] <= b[2];
}
