// What nobody checks: bodies that are not to be verified, and calls whose preconditions are free.
// verify: 3 verified, 1 error: call 25 requires 6
// reach --main Caller: bug at 9
// reach --main Lucky: bug at 11
procedure {:verify false} Trusted(x: int) returns (y: int)
  requires x > 0;
  ensures y > x;
{
  assert x > 0;
  y := x;
}

procedure Caller()
{
  var y: int;

  free call y := Trusted(-1);
  assert y > -1;
}

procedure Strict()
{
  var y: int;

  call y := Trusted(0);
}

procedure Lucky()
{
  var y: int;

  call y := Trusted(1);
  assert y >= 1;
}

procedure Two(x: int) returns (y: int);
  ensures y > 0;

implementation Two(x: int) returns (y: int)
{
  y := 1 + x * x;
}

implementation {:verify false} Two(x: int) returns (y: int)
{
  y := -1;
}
