// reach --contexts 3 --recursion-bound 2: no bug within the bound
// Dekker's lock: one withdraws its wish while it is the turn of the other. Each looks at the wish of
// the other after its own is known, so that one of two sees the other.
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
  wants0 := true;
  other := wants1;
  while (other) {
    if (turn != 0) {
      wants0 := false;
      assume turn == 0;
      wants0 := true;
    }
    other := wants1;
  }
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  turn := 1;
  wants0 := false;
}

procedure second()
  modifies wants1, turn, inside;
{
  var other: bool;
  wants1 := true;
  other := wants0;
  while (other) {
    if (turn != 1) {
      wants1 := false;
      assume turn == 1;
      wants1 := true;
    }
    other := wants0;
  }
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  turn := 0;
  wants1 := false;
}
