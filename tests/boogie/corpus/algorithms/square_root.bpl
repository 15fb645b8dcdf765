// The integer square root by halving an interval.
// verify: 2 verified, 0 errors
// reach --recursion-bound 6: no bug
procedure Root(n: int) returns (r: int)
  requires n >= 0;
  ensures 0 <= r && r * r <= n && n < (r + 1) * (r + 1);
{
  var high, middle: int;

  r, high := 0, n + 1;
  while (high - r > 1)
    invariant 0 <= r && r < high && r * r <= n && n < high * high;
  {
    middle := (r + high) div 2;
    if (middle * middle <= n) {
      r := middle;
    } else {
      high := middle;
    }
  }
}

procedure {:entrypoint} Main()
{
  var r: int;

  call r := Root(10);
  assert r * r <= 10;
  assert 10 < (r + 1) * (r + 1);
}
