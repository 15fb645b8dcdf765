// The absolute value of a signed word, which the smallest one does not have.
// verify: 1 verified, 1 error: ensures 9
// reach: bug at 16
function {:bvbuiltin "bvneg"} neg(bv16) returns (bv16);
function {:bvbuiltin "bvslt"} slt(bv16, bv16) returns (bool);
function {:bvbuiltin "bvsle"} sle(bv16, bv16) returns (bool);

procedure Absolute(x: bv16) returns (y: bv16)
  ensures sle(0bv16, y);
  ensures y == x || y == neg(x);
{
  y := x;
  if (slt(x, 0bv16)) {
    y := neg(x);
  }
}

procedure {:entrypoint} Main(x: bv16)
{
  var y, z: bv16;

  call y := Absolute(x);
  call z := Absolute(neg(x));
  assert y == z || x == neg(x);
  assert sle(0bv16, y);
}
