// The state at the entry: in postconditions, assertions, invariants, and after calls.
// verify: 4 verified, 0 errors
// reach: no bug
var x, y: int;
var cells: [int]int;

procedure Swap()
  modifies x, y;
  ensures x == old(y) && y == old(x);
{
  var t: int;

  t := x;
  x := y;
  assert x == old(y) && old(x + y) == t + x;
  y := t;
}

procedure Shift(n: int)
  requires n >= 0;
  modifies x;
  ensures x == old(x) + n;
{
  var i: int;

  i := 0;
  while (i < n)
    invariant i <= n && x == old(x) + i;
  {
    x := x + 1;
    i := i + 1;
  }
}

procedure Increment(i: int)
  modifies cells;
  ensures cells[i] == old(cells[i]) + 1;
  ensures (forall j: int :: {cells[j]} j != i ==> cells[j] == old(cells)[j]);
{
  cells[i] := old(cells)[i] + 1;
}

procedure {:entrypoint} Main()
  modifies x, y, cells;
{
  x, y := 1, 2;
  call Swap();
  assert x == 2 && y == 1;
  call Shift(2);
  assert x == 4 && old(x) == old(x);
  call Increment(x);
  call Increment(x + 1);
  assert cells[4] == old(cells[4]) + 1;
}
