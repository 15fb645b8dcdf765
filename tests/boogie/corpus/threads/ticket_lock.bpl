// reach --contexts 3: no bug within the bound
// Tickets are drawn in one step, so they differ, and only one of them is served at a time.
var next, serving, inside: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure worker()
  modifies next, serving, inside;
{
  var mine: int;
  call corral_atomic_begin();
  mine := next;
  next := next + 1;
  call corral_atomic_end();
  assume serving == mine;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  serving := serving + 1;
}

procedure {:entrypoint} main()
  modifies next, serving, inside;
{
  next, serving, inside := 0, 0, 0;
  async call worker();
  async call worker();
}
