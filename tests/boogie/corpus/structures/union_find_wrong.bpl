// Disjoint sets; the second element is joined, not the root of its tree, and the first is lost.
// verify: 2 verified, 1 error: assert 35
// reach: bug at 35
var parent: [int]int;

procedure Find(x: int) returns (root: int)
  ensures parent[root] == root;
{
  root := x;
  while (parent[root] != root)
  {
    root := parent[root];
  }
}

procedure Unite(x: int, y: int)
  modifies parent;
{
  var s: int;

  call s := Find(y);
  parent[x] := s;
}

procedure {:entrypoint} Main()
  requires parent[1] == 1 && parent[2] == 2 && parent[3] == 3;
  modifies parent;
{
  var r, s: int;

  call Unite(1, 2);
  call Unite(1, 3);
  call r := Find(2);
  call s := Find(3);
  assert r == s;
}
