// Transposing a matrix, a map with two arguments, and adding two of them row by row.
// verify: 3 verified, 0 errors
// reach --main Twice: no bug
type Matrix = [int, int]int;

procedure Transpose(a: Matrix, rows: int, columns: int) returns (t: Matrix)
  ensures (forall i, j: int :: {t[j, i]}
    0 <= i && i < rows && 0 <= j && j < columns ==> t[j, i] == a[i, j]);
{
  var i, j: int;

  i := 0;
  while (i < rows)
    invariant 0 <= i;
    invariant (forall k, l: int :: {t[l, k]}
      0 <= k && k < i && k < rows && 0 <= l && l < columns ==> t[l, k] == a[k, l]);
  {
    j := 0;
    while (j < columns)
      invariant 0 <= j;
      invariant (forall k, l: int :: {t[l, k]}
        0 <= k && k < i && 0 <= l && l < columns ==> t[l, k] == a[k, l]);
      invariant (forall l: int :: {t[l, i]} 0 <= l && l < j && l < columns ==> t[l, i] == a[i, l]);
    {
      t[j, i] := a[i, j];
      j := j + 1;
    }
    i := i + 1;
  }
}

procedure AddRow(a: Matrix, b: Matrix, row: int, n: int) returns (c: Matrix)
  ensures (forall j: int :: {c[row, j]} 0 <= j && j < n ==> c[row, j] == a[row, j] + b[row, j]);
  ensures (forall i, j: int :: {c[i, j]} i != row ==> c[i, j] == a[i, j]);
{
  var j: int;

  c, j := a, 0;
  while (j < n)
    invariant 0 <= j;
    invariant (forall l: int :: {c[row, l]} 0 <= l && l < j ==> c[row, l] == a[row, l] + b[row, l]);
    invariant (forall l: int :: {c[row, l]} j <= l ==> c[row, l] == a[row, l]);
    invariant (forall i, l: int :: {c[i, l]} i != row ==> c[i, l] == a[i, l]);
  {
    c[row, j] := c[row, j] + b[row, j];
    j := j + 1;
  }
}

procedure Twice(a: Matrix)
{
  var t, u: Matrix;

  call t := Transpose(a, 1, 2);
  call u := Transpose(t, 2, 1);
  assert u[0, 0] == a[0, 0] && u[0, 1] == a[0, 1];
}
