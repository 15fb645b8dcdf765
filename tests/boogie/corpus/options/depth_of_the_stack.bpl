// reach /stackDepthBound:3 --recursion-bound 9: no bug within the recursion bound
// reach /stackDepthBound:4 --recursion-bound 9: bug at 11
// verify: 1 verified, 1 error: assert 11
// `fall` calls itself until `n` is 0, from 3: four calls are inside of each other, below `main`.
var depth: int;
procedure fall(n: int)
  requires n >= 0;
  modifies depth;
{
  depth := depth + 1;
  if (n == 0) { assert depth != 4; } else { call fall(n - 1); }
}
procedure {:entrypoint} main() modifies depth; { depth := 0; call fall(3); }
