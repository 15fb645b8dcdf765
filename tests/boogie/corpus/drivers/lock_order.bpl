// Two locks are taken in the same order everywhere; a ghost variable knows the highest one held.
// verify: 5 verified, 0 errors
// reach: no bug
type Lock;
function rank(l: Lock) returns (int);
const unique queueLock, deviceLock: Lock;
axiom rank(deviceLock) == 1 && rank(queueLock) == 2;
axiom (forall l: Lock :: {rank(l)} rank(l) > 0);
var held: [Lock]bool;
var {:ghost} top: int;

procedure Acquire(l: Lock) returns (below: int)
  requires !held[l] && rank(l) > top;
  modifies held, top;
  ensures held == old(held)[l := true] && top == rank(l) && below == old(top);
{
  assert rank(l) > top;
  held[l] := true;
  below, top := top, rank(l);
}

procedure Release(l: Lock, below: int)
  requires held[l];
  modifies held, top;
  ensures held == old(held)[l := false] && top == below;
{
  assert held[l];
  held[l] := false;
  top := below;
}

procedure Enqueue()
  requires !held[queueLock] && top < rank(queueLock);
  modifies held, top;
  ensures held == old(held) && top == old(top);
{
  var below: int;

  call below := Acquire(queueLock);
  call Release(queueLock, below);
  assert held[deviceLock] == old(held[deviceLock]);
}

procedure Submit()
  requires top == 0 && !held[deviceLock] && !held[queueLock];
  modifies held, top;
  ensures top == 0 && !held[deviceLock];
{
  var below: int;

  call below := Acquire(deviceLock);
  if (*) {
    call Enqueue();
  }
  call Release(deviceLock, below);
}

procedure {:entrypoint} Main()
  modifies held, top;
{
  top := 0;
  assume !held[deviceLock] && !held[queueLock];
  call Submit();
  assert top == 0;
}
