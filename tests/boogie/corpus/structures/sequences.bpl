// Sequences as an abstract type with axioms, and a stack that uses them.
// verify: 2 verified, 0 errors
// reach --main Push: no bug
type Seq _;
function Seq#Length<T>(Seq T) : int;
function Seq#Empty<T>() : Seq T;
function Seq#Build<T>(s: Seq T, v: T) : Seq T;
function Seq#Index<T>(s: Seq T, i: int) : T;
function Seq#Equal<T>(s: Seq T, t: Seq T) : bool
{
  Seq#Length(s) == Seq#Length(t)
    && (forall j: int :: {Seq#Index(s, j)} {Seq#Index(t, j)}
         0 <= j && j < Seq#Length(s) ==> Seq#Index(s, j) == Seq#Index(t, j))
}

axiom (forall<T> :: Seq#Length(Seq#Empty() : Seq T) == 0);
axiom (forall<T> s: Seq T :: {Seq#Length(s)} 0 <= Seq#Length(s));
axiom (forall<T> s: Seq T, v: T :: {Seq#Build(s, v)}
  Seq#Length(Seq#Build(s, v)) == 1 + Seq#Length(s));
axiom (forall<T> s: Seq T, i: int, v: T :: {:weight 25} {Seq#Index(Seq#Build(s, v), i)}
  (i == Seq#Length(s) ==> Seq#Index(Seq#Build(s, v), i) == v)
    && (i != Seq#Length(s) ==> Seq#Index(Seq#Build(s, v), i) == Seq#Index(s, i)));

var stack: Seq int;

procedure Reset()
  modifies stack;
  ensures Seq#Length(stack) == 0;
{
  stack := Seq#Empty();
}

procedure Push(x: int)
  modifies stack;
  ensures Seq#Equal(stack, Seq#Build(old(stack), x));
{
  stack := Seq#Build(stack, x);
  assert Seq#Index(stack, Seq#Length(old(stack))) == x;
}
