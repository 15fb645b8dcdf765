// Binary search in machine arithmetic: the sum of two large indices overflows.
// verify: 0 verified, 1 error: assert 19
// reach: bug at 19
type word = bv32;
function {:bvbuiltin "bvadd"} add(word, word) returns (word);
function {:bvbuiltin "bvudiv"} udiv(word, word) returns (word);
function {:bvbuiltin "bvult"} lt(word, word) returns (bool);
function {:bvbuiltin "bvule"} le(word, word) returns (bool);

procedure {:entrypoint} Search(a: [word]int, n: word, key: int)
{
  var low, high, middle: word;

  low, high := 0bv32, n;
  while (lt(low, high))
    invariant le(high, n);
  {
    middle := udiv(add(low, high), 2bv32);
    assert le(low, middle);
    if (a[middle] < key) {
      low := add(middle, 1bv32);
    } else {
      high := middle;
    }
  }
}
