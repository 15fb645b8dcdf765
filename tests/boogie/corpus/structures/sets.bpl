// Finite sets as maps to truth values, and what lambdas say about union and difference.
// verify: 4 verified, 0 errors
// reach: no bug
type Set = [int]bool;

function Union(s: Set, t: Set) returns (Set) { (lambda x: int :: s[x] || t[x]) }
function Minus(s: Set, t: Set) returns (Set) { (lambda x: int :: s[x] && !t[x]) }
function Empty() returns (Set) { (lambda x: int :: false) }
function Subset(s: Set, t: Set) returns (bool) { (forall x: int :: {s[x]} {t[x]} s[x] ==> t[x]) }

procedure Laws(s: Set, t: Set)
{
  assert (forall x: int :: {Union(s, t)[x]} Union(s, t)[x] <==> Union(t, s)[x]);
  assert Subset(s, Union(s, t));
  assert Subset(Minus(s, t), s);
  assert !Empty()[3];
}

procedure Insert(s: Set, x: int) returns (t: Set)
  ensures t == s[x := true];
  ensures Subset(s, t);
{
  t := s[x := true];
}

procedure Remove(s: Set, x: int) returns (t: Set)
  ensures !t[x];
  ensures (forall y: int :: {t[y]} y != x ==> t[y] == s[y]);
{
  t := Minus(s, Empty()[x := true]);
}

procedure {:entrypoint} Main(s: Set)
{
  var t: Set;

  call t := Insert(s, 4);
  call t := Remove(t, 5);
  assert t[4] && !t[5];
  assert t[6] == s[6];
}
