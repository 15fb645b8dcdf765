// reach --contexts 3: bug at 16
// A ticket is read in one step and the next one written in another: both may have the same.
var next, serving, inside: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure worker()
  modifies next, serving, inside;
{
  var mine: int;
  mine := next;
  next := mine + 1;
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
