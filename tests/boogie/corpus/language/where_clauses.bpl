// Conditions of variables: assumed at the start, after havoc and after calls, and never checked.
// verify: 2 verified, 2 errors: assert 32, assert 42
// reach: bug at 42
// reach --main Fine: no bug
var level: int where 0 <= level && level < 32;
var limit: int where level <= limit;

procedure Raise() returns (previous: int where previous >= 0);
  modifies level;

procedure Fine(x: int where x > 10) returns (y: int where y < x)
  modifies level, limit;
{
  var z: int where z == 2 * x;
  var p: int;

  assert x > 10 && y < x && z > 20;
  havoc y;
  assert y < x;
  call p := Raise();
  assert p >= 0 && level < 32;
  havoc level, limit;
  assert 0 <= level && level <= limit;
}

procedure Local(n: int)
{
  var small: int where small < 10;

  assert small < 10;
  small := n;
  assert small < 10;
}

procedure {:entrypoint} Broken(n: int)
  modifies level;
{
  level := n;
  havoc level;
  assert level < 32;
  level := level + 1;
  assert level < 32;
}

procedure Loop()
  modifies level;
{
  var i: int;

  i := 0;
  while (i < 4)
  {
    havoc level;
    i := i + 1;
  }
  assert 0 <= level;
}
