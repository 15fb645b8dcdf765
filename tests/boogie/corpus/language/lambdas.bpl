// Maps given by expressions: filled arrays, images, and functions that take maps.
// verify: 4 verified, 1 error: assert 47
// reach: no bug
function {:inline} Fill(v: int) returns ([int]int) { (lambda i: int :: v) }
function Map(a: [int]int, f: [int]int) returns ([int]int) { (lambda i: int :: f[a[i]]) }

procedure Filled(n: int)
{
  assert Fill(n)[3] == n && Fill(0)[n] == 0;
  assert (lambda i: int :: i * i)[5] == 25;
}

procedure Composed(a: [int]int)
{
  var double: [int]int;

  double := (lambda i: int :: 2 * i);
  assert Map(a, double)[7] == a[7] + a[7];
  assert Map(Fill(3), double)[0] == 6;
}

procedure Curried(x: int)
{
  var sum: [int][int]int, product: [int, int]int;

  sum := (lambda i: int :: (lambda j: int :: i + j + x));
  product := (lambda i, j: int :: i * j);
  assert sum[1][2] == x + 3;
  assert product[6, 7] == 42;
}

procedure {:entrypoint} Main(n: int)
{
  var a: [int]int;

  a := (lambda i: int :: if i < n then 0 else 1);
  a[n] := 0;
  assert a[n - 1] == 0 && a[n] == 0 && a[n + 1] == 1;
}

procedure Shift(a: [int]int)
{
  var b: [int]int;

  b := (lambda i: int :: a[i + 1]);
  assert b[0] == a[1];
  assert b[0] == a[0];
}
