// reach: bug at 12
// verify: 1 verified, 1 error: assert 12
// What is recorded and printed changes nothing: 7 is the one number that fails.
procedure record(n: int);
procedure twice(n: int) returns (m: int) ensures m == 2 * n; { m := n + n; }
procedure {:entrypoint} main(n: int)
{
  var m: int;
  call {:cexpr "n"} record(n);
  call m := twice(n);
  assume {:print "twice ", n, " is ", m} true;
  assert m != 14;
}
