// reach --contexts 4: no bug within the bound
// Who has the lock reads and writes before another one reads: no deposit is lost.
var balance, lock, done: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure acquire()
  modifies lock;
{
  call corral_atomic_begin();
  assume lock == 0;
  lock := 1;
  call corral_atomic_end();
}

procedure deposit(amount: int)
  modifies balance, lock, done;
{
  var seen: int;
  call acquire();
  seen := balance;
  balance := seen + amount;
  lock := 0;
  done := done + 1;
}

procedure {:entrypoint} main()
  modifies balance, lock, done;
{
  balance, lock, done := 10, 0, 0;
  async call deposit(5);
  async call deposit(7);
  assume done == 2;
  assert balance == 22;
}
