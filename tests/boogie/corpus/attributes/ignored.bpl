// verify: 0 verified, 1 error: assert 8
// reach: bug at 8
// Neither the axiom nor the procedure is there; a function stays what it is, so that only 3 is left.
axiom {:ignore} false;
function {:ignore} value(n: int) returns (int) { n + 1 }
procedure {:ignore} never() { assert false; }
procedure {:entrypoint} main(n: int)
{ assert value(n) == n + 1 && n != 3; }
