// verify /stratifiedInline:1 /extractLoops /recursionBound:4: 0 verified, 1 error: assert 11
// reach --recursion-bound 6: bug at 11
// reach --recursion-bound 5: no bug within the recursion bound
// Five turns are needed.  For /recursionBound the first turn and the end of the loop do not count:
// six instances of the loop are one after the other, the last of which does nothing.
var g: int;
procedure inc() modifies g; { g := g + 1; }
procedure {:entrypoint} main() modifies g; {
  g := 0;
  while (*) { call inc(); }
  assert g != 5;
}
