// The ring buffer when nobody checks whether it is full: the oldest element is written over.
// verify: 2 verified, 1 error: assert 39
// reach: bug at 39
const N: int;
axiom N == 2;
var buffer: [int]int;
var first, last: int;

procedure Put(x: int)
  requires 0 <= last && last < N;
  modifies buffer, last;
  ensures buffer == old(buffer)[old(last) := x] && last == (old(last) + 1) mod N;
{
  buffer[last] := x;
  last := last + 1;
  if (last == N) { last := 0; }
}

procedure Get() returns (x: int)
  requires 0 <= first && first < N;
  modifies first;
  ensures x == buffer[old(first)] && first == (old(first) + 1) mod N;
{
  x := buffer[first];
  first := first + 1;
  if (first == N) { first := 0; }
}

procedure {:entrypoint} Main(a: int, b: int, c: int)
  requires 0 <= first && first < N && first == last;
  modifies buffer, first, last;
{
  var x: int;

  call Put(a);
  call Put(b);
  call Put(c);
  call x := Get();
  assert x == a;
}
