// The same rules, broken: on one path paged memory is touched while the spin lock is held.
// verify: 3 verified, 2 errors: assert 26, call 60 requires 31
// reach: bug at 60
const unique PASSIVE_LEVEL, APC_LEVEL, DISPATCH_LEVEL: int;
axiom PASSIVE_LEVEL == 0 && APC_LEVEL == 1 && DISPATCH_LEVEL == 2;

var irql: int;
var spinlock: [int]bool;
var paged: [int]int;

procedure KeAcquireSpinLock(lock: int) returns (previous: int)
  requires irql <= DISPATCH_LEVEL;
  modifies irql, spinlock;
  ensures previous == old(irql) && irql == DISPATCH_LEVEL;
  ensures spinlock == old(spinlock)[lock := true];
{
  previous := irql;
  assume !spinlock[lock];
  irql, spinlock[lock] := DISPATCH_LEVEL, true;
}

procedure KeReleaseSpinLock(lock: int, previous: int)
  modifies irql, spinlock;
  ensures irql == previous && spinlock == old(spinlock)[lock := false];
{
  assert spinlock[lock];
  irql, spinlock[lock] := previous, false;
}

procedure TouchPaged(address: int, value: int)
  requires irql < DISPATCH_LEVEL;
  modifies paged;
{
  assert irql <= APC_LEVEL;
  paged[address] := value;
}

procedure Flush(lock: int, address: int) returns (status: int)
  requires irql == PASSIVE_LEVEL;
  modifies irql, spinlock, paged;
{
  var previous, dirty, retries: int;

  retries := 0;
  call previous := KeAcquireSpinLock(lock);
  havoc dirty;
  if (dirty == 0) {
    call KeReleaseSpinLock(lock, previous);
    return;
  }
  while (dirty > 1 && retries < 2)
    invariant irql == DISPATCH_LEVEL && previous == PASSIVE_LEVEL;
  {
    call KeReleaseSpinLock(lock, previous);
    call TouchPaged(address, dirty);
    dirty, retries := dirty - 1, retries + 1;
    call previous := KeAcquireSpinLock(lock);
  }
  if (retries == 2) {
    call TouchPaged(address, dirty);
  }
  call KeReleaseSpinLock(lock, previous);
}

procedure {:entrypoint} Main(lock: int)
  requires irql == PASSIVE_LEVEL;
  modifies irql, spinlock, paged;
{
  var status: int;

  call status := Flush(lock, 8);
}
