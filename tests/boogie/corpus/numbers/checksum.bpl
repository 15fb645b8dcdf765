// A cyclic redundancy check of one byte: eight steps of shifting; one flipped bit is noticed.
// verify: 1 verified, 1 error: assert 31
// reach: no bug
function {:bvbuiltin "bvxor"} xor8(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvshl"} shl8(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvult"} ult8(bv8, bv8) returns (bool);

procedure Crc(data: bv8) returns (crc: bv8)
{
  var k: int;

  k, crc := 0, data;
  while (k < 8)
  {
    if (crc[8:7] == 1bv1) {
      crc := xor8(crc[7:0] ++ 0bv1, 7bv8);
    } else {
      crc := crc[7:0] ++ 0bv1;
    }
    k := k + 1;
  }
}

procedure {:entrypoint} Main(data: bv8, place: bv8)
  requires ult8(place, 8bv8);
{
  var first, second: bv8;

  call first := Crc(data);
  call second := Crc(xor8(data, shl8(1bv8, place)));
  assert first != second;
}
