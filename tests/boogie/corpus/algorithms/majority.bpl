// The majority vote of Boyer and Moore on five votes: the loop has no invariant, but it counts.
// verify: 1 verified, 1 error: assert 32
// reach: no bug
// reach --static: no bug
function {:inline} is(v: int, c: int) returns (int) { if v == c then 1 else 0 }

procedure Vote(votes: [int]int) returns (winner: int)
{
  var i, lead: int;

  i, lead, winner := 0, 0, 0;
  while (i < 5)
  {
    if (lead == 0) {
      winner, lead := votes[i], 1;
    } else if (votes[i] == winner) {
      lead := lead + 1;
    } else {
      lead := lead - 1;
    }
    i := i + 1;
  }
}

procedure {:entrypoint} Main(votes: [int]int, c: int)
{
  var winner, number: int;

  number := is(votes[0], c) + is(votes[1], c) + is(votes[2], c) + is(votes[3], c)
    + is(votes[4], c);
  call winner := Vote(votes);
  assert number >= 3 ==> winner == c;
}
