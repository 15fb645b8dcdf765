// A type constructor with its functions: values that may be missing, and pairs of them.
// verify: 3 verified, 1 error: assert 53
// reach: no bug
// reach --main Guess: bug at 53
type Option _;
type Pair a b;
function None<T>() returns (Option T);
function Some<T>(x: T) returns (Option T);
function IsSome<T>(o: Option T) returns (bool);
function Value<T>(o: Option T) returns (T);
axiom (forall<T> x: T :: {Some(x)} IsSome(Some(x)) && Value(Some(x)) == x);
axiom (forall<T> :: !IsSome(None() : Option T));
function MkPair<A, B>(a: A, b: B) returns (Pair A B);
function First<A, B>(p: Pair A B) returns (A);
function Second<A, B>(p: Pair A B) returns (B);
axiom (forall<A, B> a: A, b: B :: {MkPair(a, b)}
  First(MkPair(a, b)) == a && Second(MkPair(a, b)) == b);

procedure Find(a: [int]int, n: int, key: int) returns (found: Option int)
  ensures IsSome(found) ==> a[Value(found)] == key;
{
  var i: int;

  i, found := 0, None();
  while (i < n)
    invariant !IsSome(found);
  {
    if (a[i] == key) {
      found := Some(i);
      return;
    }
    i := i + 1;
  }
}

procedure {:entrypoint} Main(a: [int]int)
{
  var found: Option int, p: Pair bool (Option int);

  call found := Find(a, 2, 5);
  p := MkPair(IsSome(found), found);
  assert First(p) ==> a[Value(Second(p))] == 5;
}

procedure Swap<A, B>(p: Pair A B) returns (q: Pair B A)
  ensures First(q) == Second(p) && Second(q) == First(p);
{
  q := MkPair(Second(p), First(p));
}

procedure Guess(o: Option bool)
{
  assert IsSome(o);
}
