// Disjoint sets as trees in an array; the root of a tree is its own parent.
// verify: 3 verified, 2 errors: assert 44, assert 46
// reach: no bug
var parent: [int]int;

procedure Init()
  modifies parent;
  ensures (forall i: int :: {parent[i]} parent[i] == i);
{
  parent := (lambda i: int :: i);
}

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
  var r, s: int;

  call r := Find(x);
  call s := Find(y);
  parent[r] := s;
}

procedure {:entrypoint} Main()
  modifies parent;
{
  var r, s: int;

  call Init();
  call Unite(1, 2);
  call Unite(3, 4);
  call Unite(1, 4);
  call r := Find(2);
  call s := Find(3);
  assert r == s;
  call s := Find(5);
  assert r != s;
}
