// The same pair, where one answers for zero what the other one should.
// verify: 2 verified, 1 error: ensures 17
// reach: bug at 23
procedure Even(n: int) returns (r: bool)
  requires n >= 0;
  ensures r <==> n mod 2 == 0;
{
  if (n == 0) {
    r := true;
  } else {
    call r := Odd(n - 1);
  }
}

procedure Odd(n: int) returns (r: bool)
  requires n >= 0;
  ensures r <==> n mod 2 == 1;
{
  r := n == 0;
  if (n > 0) {
    call r := Even(n - 1);
  }
}

procedure {:entrypoint} Main(n: int)
  requires 0 <= n && n < 6;
{
  var e: bool;

  call e := Even(n);
  assert e <==> n == 0 || n == 2 || n == 4;
}
