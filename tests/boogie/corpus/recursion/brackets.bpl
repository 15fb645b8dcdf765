// A recursive-descent parser of  S = "(" S ")" S | nothing,  that may not read behind the end.
// verify: 1 verified, 2 errors: assert 15, assert 50
// reach --recursion-bound 3: no bug within the recursion bound
const input: [int]int;
const end: int;
axiom end >= 0;
axiom input[end] == 0;
var at: int;

procedure Read() returns (symbol: int)
  requires at >= 0;
  modifies at;
  ensures at == old(at) + 1 && symbol == input[old(at)];
{
  assert at < end;
  symbol := input[at];
  at := at + 1;
}

procedure S() returns (ok: bool)
  requires at >= 0;
  modifies at;
  ensures at >= old(at);
{
  var symbol: int;

  ok := true;
  if (input[at] == 40 && at < end) {
    call symbol := Read();
    call ok := S();
    if (!ok) {
      return;
    }
    if (at >= end || input[at] != 41) {
      ok := false;
      return;
    }
    call symbol := Read();
    call ok := S();
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
