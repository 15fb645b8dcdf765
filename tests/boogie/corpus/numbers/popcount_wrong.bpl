// The parallel count of ones with a wrong mask in the second step.
// verify: 1 verified, 1 error: ensures 19
// reach: bug at 24
type byte = bv8;
function {:bvbuiltin "bvadd"} add(byte, byte) returns (byte);
function {:bvbuiltin "bvsub"} sub(byte, byte) returns (byte);
function {:bvbuiltin "bvand"} and(byte, byte) returns (byte);
function {:bvbuiltin "bvlshr"} shr(byte, byte) returns (byte);

function {:inline} bit(x: byte) returns (byte) { 0bv7 ++ x[1:0] }

function ones(x: byte) returns (byte)
{
  add(add(add(bit(x), bit(shr(x, 1bv8))), add(bit(shr(x, 2bv8)), bit(shr(x, 3bv8)))),
      add(add(bit(shr(x, 4bv8)), bit(shr(x, 5bv8))), add(bit(shr(x, 6bv8)), bit(shr(x, 7bv8)))))
}

procedure Count(x: byte) returns (n: byte)
  ensures n == ones(x);
{
  n := sub(x, and(shr(x, 1bv8), 85bv8));
  n := add(and(n, 51bv8), and(shr(n, 2bv8), 50bv8));
  n := and(add(n, shr(n, 4bv8)), 15bv8);
}

procedure {:entrypoint} Main(x: byte)
{
  var n: byte;

  call n := Count(x);
  assert n == ones(x);
}
