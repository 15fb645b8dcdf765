// reach --contexts 4: bug at 34
// Without a lock one deposit is read before and written after the other: main, one, the other, the one,
// main are four switches.
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
  seen := balance;
  balance := seen + amount;
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
