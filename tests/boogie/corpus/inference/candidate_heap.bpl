// Candidates about a heap: what a loop over a list of cells leaves as it was.
// verify /contractInfer: 3 verified, 0 errors; 3 of 4 inferred: kept, count, same
// reach: no bug
// reach --main Clear: no bug
const {:existential true} kept: bool;
const {:existential true} zero: bool;
const {:existential true} count: bool;
const {:existential true} same: bool;
type ref;
var next: [ref]ref;
var mark: [ref]int;

procedure Mark(head: ref, n: int) returns (k: int)
  requires n >= 0;
  modifies mark;
  ensures same ==> next == old(next);
  ensures count ==> k == n;
  ensures zero ==> mark[head] == 0;
{
  var at: ref;

  at, k := head, 0;
  while (k < n)
    invariant kept ==> next == old(next);
    invariant zero ==> mark[at] == 0;
    invariant count ==> 0 <= k && k <= n;
  {
    mark[at] := 1;
    at := next[at];
    k := k + 1;
  }
}

procedure {:entrypoint} Main(head: ref)
  modifies mark;
{
  var k: int;

  call k := Mark(head, 2);
  assert k == 2;
}

procedure Clear(r: ref)
  modifies mark;
{
  mark[r] := 0;
  assert next[r] == old(next[r]) && mark[r] == 0;
}
