// A bug that is ten calls deep: it is found only if the recursion bound allows for so many.
// verify: 1 verified, 1 error: assert 15
// reach --recursion-bound 6: no bug within the recursion bound
// reach --recursion-bound 11: bug at 15
// reach --recursion-bound 11 --static: bug at 15
var depth: int;

procedure Descend(i: int)
  modifies depth;
{
  depth := depth + 1;
  if (i < 10) {
    call Descend(i + 1);
  } else {
    assert depth < 11;
  }
  depth := depth - 1;
}

procedure {:entrypoint} Main()
  modifies depth;
{
  depth := 0;
  call Descend(0);
}
