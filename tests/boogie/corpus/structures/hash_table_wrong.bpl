// Open addressing in a table of four cells; the search does not go around the end.
// verify: 2 verified, 1 error: assert 54
// reach: bug at 54
const unique free_cell: int;
axiom free_cell == -1;
var cells: [int]int;

procedure Insert(k: int) returns (ok: bool)
  modifies cells;
{
  var tried, at: int;

  at, tried, ok := k mod 4, 0, false;
  while (tried < 4)
    invariant 0 <= at && at < 4;
  {
    if (cells[at] == free_cell || cells[at] == k) {
      cells[at] := k;
      ok := true;
      return;
    }
    at := if at == 3 then 0 else at + 1;
    tried := tried + 1;
  }
}

procedure Lookup(k: int) returns (found: bool)
{
  var at: int;

  at, found := k mod 4, false;
  while (at < 4 && cells[at] != free_cell)
    invariant at >= 0;
  {
    if (cells[at] == k) {
      found := true;
      return;
    }
    at := at + 1;
  }
}

procedure {:entrypoint} Main(k: int, l: int)
  requires k >= 0 && l >= 0;
  modifies cells;
{
  var ok, found: bool;

  cells := (lambda i: int :: -1);
  call ok := Insert(k);
  call ok := Insert(l);
  assume ok;
  call found := Lookup(l);
  assert found;
}
