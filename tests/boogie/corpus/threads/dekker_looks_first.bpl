// reach --contexts 3: bug at 35
// Each looks before it says what it wants: both see that the other does not want, and enter.
var wants0, wants1: bool;
var turn, inside: int;

procedure {:entrypoint} main()
  modifies wants0, wants1, turn, inside;
{
  wants0, wants1, turn, inside := false, false, 0, 0;
  async call first();
  async call second();
}

procedure first()
  modifies wants0, turn, inside;
{
  var other: bool;
  other := wants1;
  assume !other;
  wants0 := true;
  inside := inside + 1;
  inside := inside - 1;
  turn := 1;
  wants0 := false;
}

procedure second()
  modifies wants1, turn, inside;
{
  var other: bool;
  other := wants0;
  assume !other;
  wants1 := true;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  turn := 0;
  wants1 := false;
}
