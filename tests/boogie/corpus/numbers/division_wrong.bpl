// Remainders are never negative, but nothing is known of a remainder by zero.
// verify: 1 verified, 2 errors: assert 16, assert 21
// reach --main Hash: no bug
// reach --main ByZero: bug at 16
// reach --main Truncated: bug at 21
procedure Hash(key: int) returns (h: int)
{
  h := key mod 16;
  assert 0 <= h && h < 16;
}

procedure ByZero(key: int, size: int) returns (h: int)
  requires size >= 0;
{
  h := key mod size;
  assert 0 <= h;
}

procedure Truncated(n: int)
{
  assert -(n div 2) == (-n) div 2;
}
