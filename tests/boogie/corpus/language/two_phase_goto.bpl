// Unstructured code: a parser for balanced brackets as a graph of labels.
// verify: 0 verified, 1 error: assert 49
// reach --main Balanced: no bug within the recursion bound
const Input: [int]int;
const Length: int;
axiom Length >= 0;

procedure Balanced() returns (ok: bool)
{
  var at: int, depth: int, symbol: int;
  at, depth := 0, 0;
  goto read;

read:
  goto more, finish;

more:
  assume at < Length;
  symbol := Input[at];
  at := at + 1;
  goto open, close, other;

open:
  assume symbol == 40;
  depth := depth + 1;
  goto read;

close:
  assume symbol == 41;
  goto underflow, pop;

underflow:
  assume depth == 0;
  ok := false;
  return;

pop:
  assume depth != 0;
  depth := depth - 1;
  goto read;

other:
  assume symbol != 40 && symbol != 41;
  goto read;

finish:
  assume at >= Length;
  ok := depth == 0;
  assert depth >= 0;
}
