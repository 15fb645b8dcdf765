// A ring buffer: where to read, how many elements there are, and indices modulo its size.
// verify: 3 verified, 0 errors
// reach: no bug
const N: int;
axiom N == 3;
var buffer: [int]int;
var first, count: int;

function {:inline} Valid(first: int, count: int) returns (bool)
{
  0 <= first && first < N && 0 <= count && count <= N
}

procedure Put(x: int)
  requires Valid(first, count) && count < N;
  modifies buffer, count;
  ensures Valid(first, count) && count == old(count) + 1;
  ensures buffer == old(buffer)[(first + old(count)) mod N := x];
{
  var at: int;

  at := first + count;
  if (at >= N) {
    at := at - N;
  }
  assert 0 <= at && at < N;
  buffer[at] := x;
  count := count + 1;
}

procedure Get() returns (x: int)
  requires Valid(first, count) && count > 0;
  modifies first, count;
  ensures Valid(first, count) && count == old(count) - 1;
  ensures first == (old(first) + 1) mod N && x == buffer[old(first)];
{
  x := buffer[first];
  first := (first + 1) mod N;
  count := count - 1;
}

procedure {:entrypoint} Main(a: int, b: int, c: int, d: int)
  modifies buffer, first, count;
{
  var x: int;

  assume Valid(first, count) && count == 0;
  call Put(a);
  call Put(b);
  call x := Get();
  assert x == a;
  call Put(c);
  call Put(d);
  call x := Get();
  assert x == b && count == 2;
  call x := Get();
  assert x == c;
}
