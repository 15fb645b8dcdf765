// A procedure with two implementations, of which one keeps the contract.
// verify: 2 verified, 1 error: ensures 5
// reach: no bug
procedure Order(a: int, b: int) returns (low: int, high: int);
  ensures low <= high;
  ensures {:msg "nothing is lost"} low + high == a + b;

implementation Order(a: int, b: int) returns (low: int, high: int)
{
  if (a <= b) {
    low, high := a, b;
  } else {
    low, high := b, a;
  }
}

implementation Order(x: int, y: int) returns (l: int, h: int)
{
  l, h := x, y;
  if (x > 2 * y) {
    l, h := h, l;
  }
}

procedure {:entrypoint} Main(a: int, b: int)
{
  var low, high: int;

  call low, high := Order(a, b);
  call low, high := Order(high, low);
  assert low <= high && low + high == a + b;
}
