// Two cells of memory swapped by exclusive or: if they are one cell, it becomes zero.
// verify: 1 verified, 1 error: assert 25
// reach --main Swap: no bug
// reach --main Alias: bug at 25
type word = bv16;
function {:bvbuiltin "bvxor"} xor(word, word) returns (word);
var memory: [int]word;

procedure Swap(p: int, q: int)
  requires p != q;
  modifies memory;
  ensures memory == old(memory)[p := old(memory[q])][q := old(memory[p])];
{
  memory[p] := xor(memory[p], memory[q]);
  memory[q] := xor(memory[p], memory[q]);
  memory[p] := xor(memory[p], memory[q]);
}

procedure Alias(p: int, q: int)
  modifies memory;
{
  memory[p] := xor(memory[p], memory[q]);
  memory[q] := xor(memory[p], memory[q]);
  memory[p] := xor(memory[p], memory[q]);
  assert memory[p] == old(memory[q]) && memory[q] == old(memory[p]);
}
