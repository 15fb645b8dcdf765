// reach --contexts 4: no bug within the bound
// A lock that is taken by one atomic step: two threads are never between taking it and giving it back.
var lock: bool;
var inside: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure enter()
{
  call corral_atomic_begin();
  assume !lock;
  lock := true;
  call corral_atomic_end();
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  lock := false;
}
procedure {:entrypoint} main() { lock := false; inside := 0; async call enter(); call enter(); }
