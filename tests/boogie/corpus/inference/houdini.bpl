// Candidate invariants, switched by constants that inference sets.
// verify /contractInfer: 2 verified, 0 errors; 1 of 3 inferred: b0
// reach --main Main: no bug
// reach --main Main --no-summaries: no bug within the recursion bound
// reach --main Main --no-summaries --recursion-bound 11: no bug
const {:existential true} b0: bool;
const {:existential true} b1: bool;
const {:existential true} b2: bool;

var x: int;

procedure Step(n: int)
  requires b0 ==> x >= 0;
  requires b1 ==> x <= n;
  modifies x;
  ensures b0 ==> x >= 0;
  ensures b2 ==> x > old(x);
{
  var i: int;
  i := 0;
  while (i < n)
    invariant {:tag "candidate"} b0 ==> x >= 0;
    free invariant i >= 0;
  {
    x := x + 1;
    i := i + 1;
  }
}

procedure Main()
  modifies x;
{
  x := 0;
  free call {:note "first"} Step(10);
  call Step(5);
  assert x >= 0;
}
