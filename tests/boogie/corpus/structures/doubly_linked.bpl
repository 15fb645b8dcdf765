// Taking a node out of a doubly linked ring.
// verify: 2 verified, 0 errors
// reach: no bug
type ref;
var next, prev: [ref]ref;

function {:inline} Linked(next: [ref]ref, prev: [ref]ref) returns (bool)
{
  (forall x: ref :: {next[x]} prev[next[x]] == x) && (forall x: ref :: {prev[x]} next[prev[x]] == x)
}

procedure Remove(x: ref)
  requires Linked(next, prev);
  modifies next, prev;
  ensures Linked(next, prev);
  ensures next[x] == x && prev[x] == x;
{
  var before, after: ref;

  before, after := prev[x], next[x];
  next[before] := after;
  prev[after] := before;
  next[x] := x;
  prev[x] := x;
}

procedure {:entrypoint} Main(x: ref, y: ref)
  requires Linked(next, prev) && next[x] == y && x != y && next[y] != x;
  modifies next, prev;
{
  var after: ref;

  after := next[y];
  call Remove(y);
  assert Linked(next, prev);
  call Remove(x);
  assert next[x] == x;
}
