// verify /stratifiedInline:1 /inferModifies: 1 verified, 0 errors
// verify /inferModifies: 1 verified, 1 error: assert 11
// reach: no bug
// By contract `swap` may leave anything; its body exchanges the two.
var a, b: int;
procedure swap() { a, b := b, a; }
procedure {:entrypoint} main()
{
  assume a < b;
  call swap();
  assert b < a;
}
