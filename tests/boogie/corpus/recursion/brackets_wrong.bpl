// The same parser, which looks at the next symbol but not at the end of the input.
// verify: 1 verified, 2 errors: assert 13, assert 44
// reach --recursion-bound 3: bug at 13
const input: [int]int;
const end: int;
axiom end >= 0;
var at: int;

procedure Read() returns (symbol: int)
  modifies at;
  ensures at == old(at) + 1;
{
  assert at < end;
  symbol := input[at];
  at := at + 1;
}

procedure S() returns (ok: bool)
  modifies at;
  ensures at >= old(at);
{
  var symbol: int;

  ok := true;
  if (input[at] == 40) {
    call symbol := Read();
    call ok := S();
    if (ok && input[at] == 41) {
      call symbol := Read();
      call ok := S();
    } else {
      ok := false;
    }
  }
}

procedure {:entrypoint} Main()
  modifies at;
{
  var ok: bool;

  at := 0;
  call ok := S();
  assert at <= end;
}
