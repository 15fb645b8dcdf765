// An object that is used after the last reference to it has gone, if a request is cancelled.
// verify: 3 verified, 1 error: call 34 requires 22
// reach: bug at 34
type ref;
var refcount: [ref]int;
var allocated: [ref]bool;
var cancelled: [ref]bool;

procedure ObDereference(o: ref)
  requires refcount[o] > 0;
  modifies refcount, allocated;
  ensures refcount == old(refcount)[o := old(refcount)[o] - 1];
  ensures allocated[o] <==> old(allocated)[o] && refcount[o] > 0;
{
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

procedure Complete(o: ref)
  requires allocated[o] && refcount[o] == 1;
  modifies refcount, allocated;
{
  if (cancelled[o]) {
    call ObDereference(o);
  }
  call Use(o);
  call ObDereference(o);
}

procedure {:entrypoint} Main(request: ref)
  modifies refcount, allocated, cancelled;
{
  allocated[request] := true;
  refcount[request] := 1;
  if (*) {
    cancelled[request] := true;
  }
  call Complete(request);
}
