// reach --contexts 3: no bug within the bound
// reach /k:2: no bug within the bound
// Peterson's lock for two threads: each says that it wants to enter, then lets the other go first.
// The one that was last to give way waits, so the two are never inside at the same time.
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
  wants0 := true;
  turn := 1;
  assume !wants1 || turn == 0;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  wants0 := false;
}

procedure second()
  modifies wants1, turn, inside;
{
  wants1 := true;
  turn := 0;
  assume !wants0 || turn == 1;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  wants1 := false;
}
