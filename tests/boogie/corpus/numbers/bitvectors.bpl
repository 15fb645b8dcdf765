// Masks, concatenation and extraction on machine words.
// verify: 2 verified, 0 errors
// reach --main SwapHalves: no bug
type byte = bv8;
type word = bv32;

function {:bvbuiltin "bvadd"} bv32add(word, word) returns (word);
function {:bvbuiltin "bvand"} bv32and(word, word) returns (word);
function {:bvbuiltin "bvor"} bv32or(p1: word, p2: word) : word;
function {:bvbuiltin "bvult"} bv32ult(word, word) returns (bool);
function {:bvbuiltin "(_ zero_extend 24)"} widen(byte) returns (word);

var memory: [word]byte;

function {:inline} load32(m: [word]byte, p: word) : word
{
  m[bv32add(p, 3bv32)] ++ m[bv32add(p, 2bv32)] ++ m[bv32add(p, 1bv32)] ++ m[p]
}

procedure Store32(p: word, value: word)
  modifies memory;
  ensures load32(memory, p) == value;
{
  memory[p] := value[8:0];
  memory[bv32add(p, 1bv32)] := value[16:8];
  memory[bv32add(p, 2bv32)] := value[24:16];
  memory[bv32add(p, 3bv32)] := value[32:24];
}

procedure SwapHalves(x: word) returns (y: word)
  ensures y[16:0] == x[32:16] && y[32:16] == x[16:0];
{
  y := x[16:0] ++ x[32:16];
  assert y[32:16] ++ y[16:0] == y;
  assert bv32and(y, 4294967295bv32) == y;
}
