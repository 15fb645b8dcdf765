// The integer square root by trying all numbers; the loop goes one too far.
// verify: 1 verified, 2 errors: ensures 7, assert 32
// reach: bug at 15
// reach --main Exact: no bug
procedure Root(n: int) returns (r: int)
  requires n >= 0;
  ensures r * r <= n;
{
  r := 0;
  while (r * r < n)
    invariant r >= 0;
  {
    r := r + 1;
  }
}

procedure {:entrypoint} Main(n: int)
  requires 0 <= n && n < 5;
{
  var r: int;

  call r := Root(n);
  assert r * r <= n;
}

procedure Exact(n: int)
  requires n == 0 || n == 1 || n == 4 || n == 9;
{
  var r: int;

  call r := Root(n);
  assert r * r == n;
}
