// Interest on a loan with exact numbers; truncation of a negative balance goes the wrong way.
// verify: 1 verified, 1 error: assert 31
// reach: bug at 31
const rate: real;
axiom 0.0 < rate && rate < 0.25;

procedure Grow(balance: real, years: int) returns (b: real)
  ensures balance >= 0.0 ==> b >= balance;
{
  var k: int;

  b, k := balance, 0;
  while (k < years)
    invariant balance >= 0.0 ==> b >= balance;
  {
    b := b + b * rate;
    k := k + 1;
  }
}

procedure {:entrypoint} Main(balance: real)
  requires -10.0 <= balance && balance <= 10.0;
{
  var b: real;

  call b := Grow(balance, 1);
  if (balance >= 0.0) {
    assert real(int(b)) <= b;
  } else {
    // The integer part is the floor, and not what is left of the point.
    assert real(int(b)) >= b;
  }
}
