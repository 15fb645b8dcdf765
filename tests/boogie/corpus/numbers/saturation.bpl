// Addition of bytes that stays at the largest one; mixed signs never overflow.
// verify: 3 verified, 0 errors
// reach --main Both: no bug
type byte = bv8;
function {:bvbuiltin "bvadd"} add(byte, byte) returns (byte);
function {:bvbuiltin "bvult"} ult(byte, byte) returns (bool);
function {:bvbuiltin "bvsge"} sge(byte, byte) returns (bool);
function {:bvbuiltin "bvadd"} add9(bv9, bv9) returns (bv9);
function {:bvbuiltin "sign_extend 1"} wide(byte) returns (bv9);

procedure Saturating(x: byte, y: byte) returns (z: byte)
  ensures z == (var s := add9(0bv1 ++ x, 0bv1 ++ y); if s[9:8] == 1bv1 then 255bv8 else s[8:0]);
{
  z := add(x, y);
  if (ult(z, x)) {
    z := 255bv8;
  }
}

procedure Mixed(x: byte, y: byte) returns (z: byte)
  requires sge(x, 0bv8) != sge(y, 0bv8);
  ensures wide(z) == add9(wide(x), wide(y));
{
  z := add(x, y);
}

procedure Both(x: byte)
{
  var y, z: byte;

  call y := Saturating(x, 200bv8);
  assert !ult(y, 200bv8);
  if (x[8:7] == 0bv1) {
    call z := Mixed(x, 200bv8);
    assert z == add(200bv8, x);
  }
}
