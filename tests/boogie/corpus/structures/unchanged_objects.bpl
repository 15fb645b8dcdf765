// verify: 3 verified, 2 errors: ensures 15, assert 29
// reach --main Right: bug at 29
// reach --main Wrong: bug at 16
// reach --main Both: no bug
// A postcondition over all objects, whose values a run does not have: the first one holds, so that the bug
// is what comes after it, with r == s (29); the second one forgets that s may be another object (15).
type Ref;
var heap: [Ref]int;
procedure Set(r: Ref)
  modifies heap;
  ensures (forall o: Ref :: o != r ==> heap[o] == old(heap)[o]);
{ heap[r] := 7; }
procedure Add(r: Ref, s: Ref)
  modifies heap;
  ensures (forall o: Ref :: o != r ==> heap[o] == old(heap)[o]);
{ heap[s] := heap[s] + 7; }

procedure Wrong(r: Ref, s: Ref)
  modifies heap;
{
  call Add(r, s);
}
procedure Right(r: Ref, s: Ref)
  modifies heap;
{
  var x: int;
  x := heap[s];
  call Set(r);
  assert heap[s] == x;
}
procedure Both(r: Ref, s: Ref)
  modifies heap;
{
  call Add(r, r);
  call Set(s);
  assert (forall o: Ref :: o == r || o == s || heap[o] == old(heap)[o]);
}
