// Several results at once, parallel assignment, and wildcards of every kind.
// verify: 3 verified, 1 error: assert 42
// reach: bug at 42
// reach --main Rotate: no bug
procedure DivMod(a: int, b: int) returns (q: int, r: int)
  requires b > 0;
  ensures a == q * b + r && 0 <= r && r < b;
{
  q, r := a div b, a mod b;
}

procedure Rotate(a: int, b: int, c: int) returns (x: int, y: int, z: int)
  ensures x == c && y == a && z == b;
{
  x, y, z := a, b, c;
  x, y, z := z, x, y;
  assert x + y + z == a + b + c;
}

procedure Choice() returns (n: int)
  ensures n == 1 || n == 2 || n == 4;
{
  n := 1;
  if (*) {
    n := n + n;
    if (*) { n := n * n; } else { n := 2 * n; }
  } else if (*) {
    n := 2;
  }
}

procedure {:entrypoint} Main(a: int)
  requires 0 <= a && a < 100;
{
  var q, r, n: int;

  call q, r := DivMod(a, 7);
  assert 7 * q <= a;
  call r, q := DivMod(a, 7);
  call n := Choice();
  assert n < 5;
  assert 7 * q <= a;
}
