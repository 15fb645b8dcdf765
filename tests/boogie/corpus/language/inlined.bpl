// Procedures that callers see through, as if their bodies stood there; one of them calls the other.
// verify: 1 verified, 2 errors: assert 42, assert 52
// verify /inline:none: 0 verified, 5 errors: assert 9, assert 20, assert 29, assert 42, assert 52
// reach --main Client: bug at 52
var g: int;

procedure {:inline 1} Twice(x: int) returns (y: int)
{
  assert x > 0;
  y := x + x;
}

procedure {:inline 1} Add(x: int)
  modifies g;
{
  var t: int;

  call t := Twice(x);
  g := g + t;
  assert t == 2 * x;
}

procedure Direct(x: int)
  requires x > 0;
{
  var y: int;

  call y := Twice(x);
  assert y == 2 * x;
}

procedure Sum(x: int)
  requires x > 1;
  modifies g;
{
  var y: int;

  g := 0;
  call Add(x);
  call Add(x - 1);
  call y := Twice(g);
  assert y != 20;
}

procedure Client(x: int)
  requires x == 2;
  modifies g;
{
  var y: int;

  call y := Twice(x);
  assert y != 4;
}
