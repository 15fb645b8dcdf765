// reach --contexts 3: bug at 25
// It is said to be ready before it is: another thread looks in between.
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
      ready := 1;
      value := 42;
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
