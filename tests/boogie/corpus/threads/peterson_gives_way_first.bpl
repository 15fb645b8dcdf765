// reach --contexts 2: no bug within the bound
// reach --contexts 3: bug at 36
// reach /k:2: bug at 36
// Peterson's lock for two threads: each says that it wants to enter, then lets the other go first.
// The turn is given away before the wish is known: the first waits behind its first step, the second
// passes (nobody else wants), then the first passes, as the turn is its own again.
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
  turn := 1;
  wants0 := true;
  assume !wants1 || turn == 0;
  inside := inside + 1;
  inside := inside - 1;
  wants0 := false;
}

procedure second()
  modifies wants1, turn, inside;
{
  turn := 0;
  wants1 := true;
  assume !wants0 || turn == 1;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  wants1 := false;
}
