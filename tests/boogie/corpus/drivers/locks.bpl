// The lock discipline of a driver: acquire and release alternate.
// A release forgets the owners of all locks, not only of its own.
// verify: 0 verified, 3 errors: assert 15, assert 15, assert 23
// reach: bug at 23
type Lock;
const unique idle, held: int;
axiom idle == 0 && held == 1;
var state: [Lock]int;
var owner: [Lock]int;
const unique device, queue: Lock;

procedure {:inline 1} Acquire(l: Lock, tid: int)
  modifies state, owner;
{
  assert {:msg "the lock must be idle"} state[l] == idle;
  state[l] := held;
  owner[l] := tid;
}

procedure {:inline 1} Release(l: Lock, tid: int)
  modifies state, owner;
{
  assert {:msg "the lock must be held by its owner"} state[l] == held && owner[l] == tid;
  state[l] := idle;
  havoc owner;
}

procedure {:entrypoint} Main()
  requires (forall l: Lock :: state[l] == idle);
  modifies state, owner;
{
  var requests: int;
  var pending: bool;

  requests := 0;
loop:
  call Acquire(device, 1);
  if (*) {
    call Acquire(queue, 1);
    requests := requests + 1;
    call Release(queue, 1);
    call Release(device, 1);
    pending := true;
  } else {
    pending := false;
  }
  goto again, done;
again:
  assume pending;
  goto loop;
done:
  assume !pending;
  call Release(device, 1);
}
