// The number of ones in a byte: in parallel, and bit by bit in a loop that runs eight times.
// verify: 1 verified, 2 errors: assert 31, assert 40
// reach: no bug
type byte = bv8;
function {:bvbuiltin "bvadd"} add(byte, byte) returns (byte);
function {:bvbuiltin "bvsub"} sub(byte, byte) returns (byte);
function {:bvbuiltin "bvand"} and(byte, byte) returns (byte);
function {:bvbuiltin "bvlshr"} shr(byte, byte) returns (byte);
function {:bvbuiltin "bvule"} ule(byte, byte) returns (bool);

procedure Parallel(x: byte) returns (n: byte)
  ensures ule(n, 8bv8);
{
  n := sub(x, and(shr(x, 1bv8), 85bv8));
  n := add(and(n, 51bv8), and(shr(n, 2bv8), 51bv8));
  n := and(add(n, shr(n, 4bv8)), 15bv8);
}

procedure BitByBit(x: byte) returns (n: byte)
{
  var i: int, rest: byte;

  i, n, rest := 0, 0bv8, x;
  while (i < 8)
    invariant i <= 8;
  {
    n := add(n, 0bv7 ++ rest[1:0]);
    rest := 0bv1 ++ rest[8:1];
    i := i + 1;
  }
  assert rest == 0bv8;
}

procedure {:entrypoint} Main(x: byte)
{
  var p, q: byte;

  call p := Parallel(x);
  call q := BitByBit(x);
  assert p == q;
}
