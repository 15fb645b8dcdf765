// verify: 1 verified, 1 error: assert 17
// reach: bug at 17
// Sixteen unique names of one type all differ; a name that is not unique may be any of them.
type name;
const unique a, b, c, d, e, f, g, h: name;
const unique i, j, k, l, m, n, o, p: name;
const q: name;
var kind: [name]int;
procedure different()
{
  assert a != p && h != i && c != n;
  assert kind[a := 1][p] == kind[p];
}
procedure {:entrypoint} main()
{
  call different();
  assert q != k;
}
