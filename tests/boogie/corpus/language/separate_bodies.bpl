// One procedure with two implementations, and polymorphic procedures.
// verify: 2 verified, 0 errors
// reach --main Use: no bug
type Box _;
function box<T>(x: T) returns (b: Box T);
function unbox<T>(b: Box T) returns (x: T);
axiom (forall<T> x: T :: {box(x)} unbox(box(x)) == x);

procedure Swap<T>(x: T, y: T) returns (a: T, b: T);
  ensures a == y;
  ensures b == x;

implementation Swap<S>(x: S, y: S) returns (first: S, second: S)
{
  first, second := y, x;
}

implementation {:verify false} Swap<T>(left: T, right: T) returns (a: T, b: T)
{
  var t: T;
  t := left;
  a := right;
  b := t;
}

procedure Use()
{
  var i, j: int, p, q: Box bool;
  call i, j := Swap(1, 2);
  assert i == 2 && j == 1;
  call p, q := Swap(box(true), box(false));
  assert !unbox(p) && unbox(q);
}
