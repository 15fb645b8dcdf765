// Objects with reference counts: freed when the last reference goes, and never used afterwards.
// verify: 6 verified, 0 errors
// reach: no bug
type ref;
const unique null: ref;
var refcount: [ref]int;
var allocated: [ref]bool;
var pointer: [ref]ref;

procedure ObCreate() returns (o: ref)
  modifies refcount, allocated;
  ensures o != null && !old(allocated)[o];
  ensures allocated == old(allocated)[o := true] && refcount == old(refcount)[o := 1];
{
  havoc o;
  assume o != null && !allocated[o];
  allocated[o] := true;
  refcount[o] := 1;
}

procedure ObReference(o: ref)
  requires allocated[o] && refcount[o] > 0;
  modifies refcount;
  ensures refcount == old(refcount)[o := old(refcount)[o] + 1];
{
  refcount[o] := refcount[o] + 1;
}

procedure ObDereference(o: ref)
  requires allocated[o] && refcount[o] > 0;
  modifies refcount, allocated;
  ensures refcount == old(refcount)[o := old(refcount)[o] - 1];
  ensures allocated == old(allocated)[o := old(refcount)[o] > 1];
{
  assert allocated[o];
  refcount[o] := refcount[o] - 1;
  if (refcount[o] == 0) {
    allocated[o] := false;
  }
}

procedure Use(o: ref)
  requires allocated[o];
{
  assert allocated[o];
}

procedure Share(o: ref, times: int)
  requires allocated[o] && refcount[o] > 0 && times >= 0;
  modifies refcount, allocated;
  ensures refcount == old(refcount) && allocated == old(allocated);
{
  var i: int;

  i := 0;
  while (i < times)
    invariant i <= times && refcount == old(refcount) && allocated == old(allocated);
  {
    call ObReference(o);
    call Use(o);
    call ObDereference(o);
    i := i + 1;
  }
}

procedure {:entrypoint} Main()
  modifies refcount, allocated, pointer;
{
  var o, p: ref;

  call o := ObCreate();
  call p := ObCreate();
  assert o != p;
  pointer[o] := p;
  call ObReference(p);
  call Share(o, 2);
  call ObDereference(p);
  call Use(pointer[o]);
  call ObDereference(o);
  assert !allocated[o] && allocated[p];
}
