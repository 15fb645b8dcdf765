// A list in the heap: fields are maps from references, reachability is a ghost map.
// verify: 4 verified, 0 errors
// reach: no bug
type ref;
const null: ref;
var next: [ref]ref;
var data: [ref]int;
var alloc: [ref]bool where !alloc[null];

function Reach(heap: [ref]ref, from: ref, to: ref) returns (bool);
axiom (forall h: [ref]ref, x: ref :: {Reach(h, x, x)} Reach(h, x, x));
axiom (forall h: [ref]ref, x, y: ref :: {Reach(h, x, y)}
  Reach(h, x, y) <==> x == y || (x != null && Reach(h, h[x], y)));

procedure New(value: int) returns (node: ref)
  modifies alloc, data, next;
  ensures node != null && !old(alloc[node]) && alloc == old(alloc)[node := true];
  ensures data == old(data)[node := value] && next == old(next)[node := null];
{
  havoc node;
  assume node != null && !alloc[node];
  alloc[node] := true;
  data[node], next[node] := value, null;
}

procedure Push(head: ref, value: int) returns (node: ref)
  modifies alloc, data, next;
  ensures next[node] == head && data[node] == value;
{
  call node := New(value);
  next[node] := head;
}

procedure Length(head: ref) returns (count: int)
  requires Reach(next, head, null);
  ensures count >= 0;
{
  var at: ref;
  at, count := head, 0;
  while (at != null)
    invariant count >= 0;
    invariant Reach(next, at, null);
  {
    count, at := count + 1, next[at];
  }
}

procedure {:entrypoint} Main()
  modifies alloc, data, next;
{
  var first, second: ref;

  call first := Push(null, 1);
  call second := Push(first, 2);
  assert next[second] == first && data[second] == 2;
}
