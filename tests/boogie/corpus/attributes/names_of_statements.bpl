// verify: 1 verified, 1 error: assert 7
// reach: bug at 7
// Names are for messages, and unique in the whole program; what is least or largest is not asked
// for in a verdict.
procedure one(n: int) returns (m: int) ensures m == n; { assume {:id "a"} true; m := n; }
procedure {:entrypoint} main(n: int) {
  assert {:id "b"} {:msg "n is 0"} n == 0;
  assume {:minimize n} {:maximize n} true;
}
