// A bounded stack: an array and the number of its elements.
// verify: 4 verified, 0 errors
// reach: no bug
const capacity: int;
axiom capacity == 8;
var items: [int]int;
var size: int where 0 <= size && size <= capacity;

procedure Push(x: int) returns (ok: bool)
  modifies items, size;
  ensures ok <==> old(size) < capacity;
  ensures ok ==> size == old(size) + 1 && items == old(items)[old(size) := x];
  ensures !ok ==> size == old(size) && items == old(items);
{
  ok := size < capacity;
  if (ok) {
    items[size] := x;
    size := size + 1;
  }
}

procedure Pop() returns (x: int)
  requires size > 0;
  modifies size;
  ensures size == old(size) - 1 && x == items[size];
{
  size := size - 1;
  x := items[size];
}

procedure Reset()
  modifies size;
  ensures size == 0;
{
  size := 0;
}

procedure {:entrypoint} Main(a: int, b: int)
  modifies items, size;
{
  var ok: bool, x: int;

  call Reset();
  call ok := Push(a);
  assert ok;
  call ok := Push(b);
  call x := Pop();
  assert x == b;
  call x := Pop();
  assert x == a && size == 0;
}
