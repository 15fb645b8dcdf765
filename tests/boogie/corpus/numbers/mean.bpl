// Means of reals, and how rounding down to integers relates to them.
// verify: 4 verified, 0 errors
// reach --main Client: no bug
procedure Mean(x: real, y: real) returns (m: real)
  requires x <= y;
  ensures x <= m && m <= y;
  ensures m - x == y - m;
{
  m := (x + y) / 2.0;
}

procedure Running(values: [int]real, n: int) returns (m: real)
  requires n > 0;
  requires (forall i: int :: 0 <= i && i < n ==> 0.0 <= values[i] && values[i] <= 1.0);
  ensures 0.0 <= m && m <= 1.0;
{
  var k: int, s: real;

  k, s := 0, 0.0;
  while (k < n)
    invariant 0 <= k && k <= n && 0.0 <= s && s <= real(k);
  {
    s := s + values[k];
    k := k + 1;
  }
  assert s <= real(n);
  call m := Divide(s, real(n));
}

procedure Divide(s: real, t: real) returns (q: real)
  requires 0.0 <= s && s <= t && t > 0.0;
  ensures 0.0 <= q && q <= 1.0;
{
  q := s / t;
  assert q * t == s;
}

procedure Client(a: int, b: int)
  requires a <= b;
{
  var m: real, i: int;

  call m := Mean(real(a), real(b));
  i := int(m);
  assert a <= i && i <= b;
  assert i == (a + b) div 2;
}
