// reach --contexts 1: no bug within the bound
// reach --contexts 2: bug at 10
// Between looking at the lock and taking it another thread takes it: both are inside.  That needs two
// switches: to the other thread, which stops inside, and back.
var lock: bool;
var inside: int;
procedure enter()
{
  assume !lock; lock := true; inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  lock := false;
}
procedure {:entrypoint} main() { lock := false; inside := 0; async call enter(); call enter(); }
