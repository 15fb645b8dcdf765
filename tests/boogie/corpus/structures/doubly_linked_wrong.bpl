// Taking a node out of a doubly linked list, without telling the next one.
// verify: 1 verified, 1 error: ensures 11
// reach: bug at 18
type ref;
const unique null, a, b, c: ref;
var next, prev: [ref]ref;

procedure Remove(x: ref)
  modifies next, prev;
  ensures old(prev)[x] != null ==> next[old(prev)[x]] == old(next)[x];
  ensures prev[old(next)[x]] == old(prev)[x];
{
  if (prev[x] != null) {
    next[prev[x]] := next[x];
  } else {
    prev[next[x]] := null;
  }
}

procedure {:entrypoint} Main()
  modifies next, prev;
{
  next := next[null := null][a := b][b := c][c := null];
  prev := prev[null := null][a := null][b := a][c := b];
  call Remove(b);
  assert next[a] == c;
  assert prev[c] == a;
}
