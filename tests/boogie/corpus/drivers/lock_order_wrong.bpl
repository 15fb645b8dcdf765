// Two paths take the two locks in different orders, which may block both for ever.
// verify: 0 verified, 4 errors: assert 15, assert 24, call 34 requires 11, call 46 requires 11
// reach: bug at 15
// reach --static: bug at 15
const unique deviceLock, queueLock: int;
axiom deviceLock == 1 && queueLock == 2;
var held: [int]bool;
var top: int;

procedure Acquire(l: int)
  requires !held[l];
  modifies held, top;
  ensures held[l] && top == l;
{
  assert l > top;
  held[l] := true;
  top := l;
}

procedure Release(l: int)
  modifies held, top;
  ensures !held[l] && top == 0;
{
  assert held[l];
  held[l] := false;
  top := 0;
}

procedure Cancel()
  requires !held[deviceLock] && !held[queueLock] && top == 0;
  modifies held, top;
{
  call Acquire(queueLock);
  call Acquire(deviceLock);
  call Release(deviceLock);
  call Release(queueLock);
}

procedure {:entrypoint} Main()
  modifies held, top;
{
  held := (lambda l: int :: false);
  top := 0;
  if (*) {
    call Acquire(deviceLock);
    call Acquire(queueLock);
  } else {
    call Cancel();
  }
}
