// Reversing a linked list in place, on a list of three nodes.
// verify: 0 verified, 2 errors: assert 24, assert 25
// reach: no bug
// reach --recursion-bound 3: no bug within the recursion bound
type ref;
const unique null, a, b, c: ref;
var next: [ref]ref;

procedure {:entrypoint} Main()
  modifies next;
{
  var done, at, rest: ref;

  next[a] := b;
  next[b] := c;
  next[c] := null;
  done, at := null, a;
  while (at != null)
  {
    rest := next[at];
    next[at] := done;
    done, at := at, rest;
  }
  assert done == c && next[c] == b;
  assert next[b] == a && next[a] == null;
}
