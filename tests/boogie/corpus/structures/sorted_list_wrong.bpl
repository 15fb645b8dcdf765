// Insertion into a sorted linked list; what comes before the head is forgotten.
// verify: 1 verified, 3 errors: assert 40, assert 49, assert 50
// reach: bug at 40
type ref;
const unique null: ref;
var next: [ref]ref;
var key: [ref]int;
var alloc: [ref]bool where alloc[null];
var head: ref;

procedure New(k: int) returns (node: ref)
  modifies alloc, key;
  ensures node != null && !old(alloc)[node] && alloc == old(alloc)[node := true];
  ensures key == old(key)[node := k];
{
  havoc node;
  assume !alloc[node];
  alloc[node] := true;
  key[node] := k;
}

procedure Insert(k: int)
  modifies alloc, key, next, head;
{
  var node, at: ref;

  call node := New(k);
  if (head == null) {
    head := node;
    next[node] := null;
    return;
  }
  at := head;
  while (next[at] != null && key[next[at]] < k)
  {
    at := next[at];
  }
  next[node] := next[at];
  next[at] := node;
  assert key[at] <= k;
}

procedure {:entrypoint} Main(x: int, y: int)
  requires head == null;
  modifies alloc, key, next, head;
{
  call Insert(x);
  call Insert(y);
  assert head != null;
  assert key[head] <= key[next[head]];
}
