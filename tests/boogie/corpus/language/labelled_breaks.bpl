// Leaving loops and conditionals by their labels.
// verify: 2 verified, 1 error: assert 53
// reach: no bug
// reach --main Wrong: bug at 53
procedure {:entrypoint} Rows(m: [int][int]bool) returns (row: int, column: int)
{
  row, column := 0, 0;
outer:
  while (row < 3)
    invariant 0 <= row && row <= 3 && column == 0;
  {
    while (column < 3)
      invariant 0 <= column && column <= 3;
    {
      if (m[row][column]) { break outer; }
      column := column + 1;
    }
    column := 0;
    row := row + 1;
  }
  assert row < 3 ==> m[row][column];
}

procedure Cases(x: int) returns (y: int)
  ensures y > 0;
{
  y := 1;
choice:
  if (x > 0) {
    if (x > 10) {
      y := x;
      break choice;
    }
    y := 0 - x;
    y := y * y;
  } else {
    y := 1 - x;
  }
  assert y >= 1;
}

procedure Wrong(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (true)
    invariant i <= n;
  {
    if (i == n) { break; }
    if (*) { break; }
    i := i + 1;
  }
  assert i == n;
}
