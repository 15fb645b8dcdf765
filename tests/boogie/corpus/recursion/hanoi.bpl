// The towers of Hanoi: moving n discs takes 2 to the power of n, less one, steps.
// verify: 2 verified, 0 errors
// reach: no bug
var moves: int;
var peg: [int]int;

function exp2(n: int) returns (int)
{
  if n <= 0 then 1 else 2 * exp2(n - 1)
}

procedure Hanoi(n: int, from: int, to: int, spare: int)
  requires n >= 0;
  modifies moves, peg;
  ensures moves == old(moves) + exp2(n) - 1;
  ensures (forall d: int :: {peg[d]} 1 <= d && d <= n ==> peg[d] == to);
  ensures (forall d: int :: {peg[d]} d > n ==> peg[d] == old(peg)[d]);
{
  if (n > 0) {
    call Hanoi(n - 1, from, spare, to);
    moves := moves + 1;
    peg[n] := to;
    call Hanoi(n - 1, spare, to, from);
  }
}

procedure {:entrypoint} Main()
  modifies moves, peg;
{
  moves := 0;
  call Hanoi(3, 1, 3, 2);
  assert moves == 7;
  assert peg[1] == 3 && peg[3] == 3;
}
