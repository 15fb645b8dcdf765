// A binary heap in an array: a new element rises until its parent is not larger.
// verify: 1 verified, 1 error: assert 34
// reach: no bug
var heap: [int]int;
var size: int;

procedure Add(x: int)
  requires size >= 0;
  modifies heap, size;
  ensures size == old(size) + 1;
{
  var i, p: int;

  i := size;
  heap[i] := x;
  size := size + 1;
  while (i > 0 && heap[(i - 1) div 2] > heap[i])
    invariant i >= 0;
  {
    p := (i - 1) div 2;
    heap := heap[i := heap[p]][p := heap[i]];
    i := p;
  }
}

procedure {:entrypoint} Main(a: int, b: int, c: int, d: int)
  requires size == 0;
  modifies heap, size;
{
  call Add(a);
  call Add(b);
  call Add(c);
  call Add(d);
  assert heap[0] <= a && heap[0] <= b && heap[0] <= c && heap[0] <= d;
  assert size == 4;
}
