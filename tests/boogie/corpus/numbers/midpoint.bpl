// The middle of two machine words: without an overflow, and with a carry that is kept.
// verify: 3 verified, 0 errors
// reach: no bug
type word = bv32;
function {:bvbuiltin "bvadd"} add(word, word) returns (word);
function {:bvbuiltin "bvsub"} sub(word, word) returns (word);
function {:bvbuiltin "bvlshr"} shr(word, word) returns (word);
function {:bvbuiltin "bvand"} and(word, word) returns (word);
function {:bvbuiltin "bvxor"} xor(word, word) returns (word);
function {:bvbuiltin "bvule"} le(word, word) returns (bool);
function {:bvbuiltin "bvadd"} add33(bv33, bv33) returns (bv33);

procedure Middle(low: word, high: word) returns (m: word)
  requires le(low, high);
  ensures le(low, m) && le(m, high);
{
  m := add(low, shr(sub(high, low), 1bv32));
}

procedure Carry(x: word, y: word) returns (m: word)
  ensures m == add33(0bv1 ++ x, 0bv1 ++ y)[33:1];
{
  m := add(and(x, y), shr(xor(x, y), 1bv32));
}

procedure {:entrypoint} Main(low: word, high: word)
  requires le(low, high);
{
  var m: word;

  call m := Middle(low, high);
  assert le(low, m);
  assert le(m, high);
}
