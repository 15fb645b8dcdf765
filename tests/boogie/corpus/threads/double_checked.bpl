// reach --contexts 3: no bug within the bound
// The value is there before it is said to be: who sees that it is ready sees the value.
var ready, lock: int;
var value: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure get()
  modifies ready, lock, value;
{
  var found: int;
  found := ready;
  if (found == 0) {
    call corral_atomic_begin();
    assume lock == 0;
    lock := 1;
    call corral_atomic_end();
    if (ready == 0) {
      value := 42;
      ready := 1;
    }
    lock := 0;
  }
  assert value == 42;
}

procedure {:entrypoint} main()
  modifies ready, lock, value;
{
  ready, lock, value := 0, 0, 0;
  async call get();
  async call get();
}
