// Interrupt levels: paged memory may be touched, and waiting is allowed, only at a low one.
// verify: 3 verified, 0 errors
// reach: no bug
const unique PASSIVE_LEVEL, APC_LEVEL, DISPATCH_LEVEL: int;
axiom PASSIVE_LEVEL == 0 && APC_LEVEL == 1 && DISPATCH_LEVEL == 2;
const STATUS_SUCCESS, STATUS_PENDING: int;
axiom STATUS_SUCCESS == 0 && STATUS_PENDING == 259;

var irql: int where PASSIVE_LEVEL <= irql && irql <= 31;
var spinlock: [int]bool;
var paged: [int]int;

procedure KeAcquireSpinLock(lock: int) returns (previous: int);
  requires irql <= DISPATCH_LEVEL;
  requires !spinlock[lock];
  modifies irql, spinlock;
  ensures previous == old(irql) && irql == DISPATCH_LEVEL;
  ensures spinlock == old(spinlock)[lock := true];

procedure KeReleaseSpinLock(lock: int, previous: int);
  requires spinlock[lock] && irql == DISPATCH_LEVEL;
  modifies irql, spinlock;
  ensures irql == previous && spinlock == old(spinlock)[lock := false];

procedure TouchPaged(address: int, value: int)
  requires irql < DISPATCH_LEVEL;
  modifies paged;
  ensures paged == old(paged)[address := value];
{
  assert irql <= APC_LEVEL;
  paged[address] := value;
}

procedure KeWaitForSingleObject(object: int) returns (status: int);
  requires irql == PASSIVE_LEVEL;
  ensures status == STATUS_SUCCESS || status == STATUS_PENDING;

procedure Flush(lock: int, address: int) returns (status: int)
  requires irql == PASSIVE_LEVEL && !spinlock[lock];
  modifies irql, spinlock, paged;
  ensures irql == PASSIVE_LEVEL && !spinlock[lock];
{
  var previous, dirty: int;

  call previous := KeAcquireSpinLock(lock);
  assert irql == DISPATCH_LEVEL;
  havoc dirty;
  call KeReleaseSpinLock(lock, previous);
  if (dirty != 0) {
    call TouchPaged(address, dirty);
  }
  call status := KeWaitForSingleObject(address);
}

procedure {:entrypoint} Main(lock: int)
  requires irql == PASSIVE_LEVEL && !spinlock[lock];
  modifies irql, spinlock, paged;
{
  var status, round: int;

  round := 0;
  while (round < 2)
    invariant irql == PASSIVE_LEVEL && !spinlock[lock];
  {
    call status := Flush(lock, 100 + round);
    assert irql == PASSIVE_LEVEL && !spinlock[lock];
    round := round + 1;
  }
}
