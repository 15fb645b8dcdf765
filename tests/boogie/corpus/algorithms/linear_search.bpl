// Two ways to search: with a sentinel behind the array, and with a label to leave two loops.
// verify: 2 verified, 0 errors
// reach --main Sentinel --recursion-bound 5: no bug within the recursion bound
// reach --main Saddle --recursion-bound 3: no bug within the recursion bound
procedure Sentinel(a: [int]int, n: int, key: int) returns (at: int)
  requires n >= 0;
  ensures 0 <= at && at <= n;
  ensures at < n ==> a[at] == key;
  ensures (forall i: int :: 0 <= i && i < at ==> a[i] != key);
{
  var b: [int]int;

  b, at := a[n := key], 0;
  while (b[at] != key)
    invariant 0 <= at && at <= n;
    invariant (forall i: int :: {a[i]} 0 <= i && i < at ==> b[i] != key);
  {
    assert at < n;
    at := at + 1;
  }
}

procedure Saddle(m: [int, int]int, n: int, key: int) returns (found: bool, row: int, column: int)
  requires n >= 0;
  ensures found ==> m[row, column] == key;
  ensures !found ==> (forall i, j: int :: {m[i, j]}
    0 <= i && i < n && 0 <= j && j < n ==> m[i, j] != key);
{
  row, found := 0, false;
rows:
  while (row < n)
    invariant 0 <= row && row <= n && !found;
    invariant (forall i, j: int :: {m[i, j]}
      0 <= i && i < row && 0 <= j && j < n ==> m[i, j] != key);
  {
    column := 0;
    while (column < n)
      invariant 0 <= column && !found;
      invariant (forall j: int :: {m[row, j]} 0 <= j && j < column && j < n ==> m[row, j] != key);
    {
      if (m[row, column] == key) {
        found := true;
        break rows;
      }
      column := column + 1;
    }
    row := row + 1;
  }
  assert found || row >= n;
}
