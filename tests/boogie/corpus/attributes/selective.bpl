// verify: 1 verified, 1 error: assert 13
// Nothing is checked before the mark, but assumed: so `n` is above 3, and 4 is left.
procedure callee(n: int);
  requires n > 3;
procedure {:selective_checking} main(n: int)
{
  var m: int;
  assert n > 2;
  call callee(n);
  m := n;
  assume {:start_checking_here} true;
  assert m > 3;
  assert m > 4;
}
procedure {:selective_checking} nothing() { assert false; }
