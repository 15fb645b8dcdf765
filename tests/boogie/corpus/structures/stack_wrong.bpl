// A stack without a bottom: nobody asks whether there is anything to take.
// verify: 1 verified, 3 errors: ensures 21, call 38 requires 18, assert 50
// reach: bug at 38
var items: [int]int;
var size: int;

procedure Push(x: int)
  requires size >= 0;
  modifies items, size;
  ensures size == old(size) + 1;
  ensures items[size - 1] == x;
{
  items[size] := x;
  size := size + 1;
}

procedure Pop() returns (x: int)
  requires size > 0;
  modifies size;
  ensures size == old(size) - 1;
  ensures x == items[old(size)];
{
  assert size > 0;
  size := size - 1;
  x := items[size];
}

procedure {:entrypoint} Main(a: int, again: bool)
  modifies items, size;
{
  var x: int;

  size := 0;
  items[1] := a;
  call Push(a);
  call x := Pop();
  if (again) {
    call x := Pop();
  }
}

procedure Top(a: int)
  requires size == 0;
  modifies items, size;
{
  var x: int;

  call Push(a);
  call x := Pop();
  assert x == a;
}
