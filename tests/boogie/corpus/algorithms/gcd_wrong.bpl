// Euclid's algorithm with the operands of one subtraction swapped.
// verify: 1 verified, 2 errors: invariant 12, assert 28
// reach: bug at 12
procedure Gcd(a: int, b: int) returns (r: int)
  requires a > 0 && b > 0;
  ensures r > 0;
{
  var x, y: int;

  x, y := a, b;
  while (x != y)
    invariant x > 0 && y > 0;
  {
    if (x > y) {
      x := y - x;
    } else {
      y := y - x;
    }
  }
  r := x;
}

procedure {:entrypoint} Main()
{
  var r: int;

  call r := Gcd(18, 12);
  assert r == 6;
}

procedure Same(n: int)
  requires n > 2;
{
  var r: int;

  call r := Gcd(n, n);
  assert r > 0;
}
