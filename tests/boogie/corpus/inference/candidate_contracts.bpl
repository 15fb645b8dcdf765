// Contracts of procedures that call each other: what fails takes what relied on it along.
// verify /contractInfer: 3 verified, 0 errors; 3 of 5 inferred: pre, grows, positive
// reach: no bug
const {:existential true} pre: bool;
const {:existential true} grows: bool;
const {:existential true} strict: bool;
const {:existential true} both: bool;
const {:existential true} positive: bool;
var g: int;

procedure Step(n: int)
  requires pre ==> n >= 0;
  modifies g;
  ensures grows ==> g >= old(g);
  ensures strict ==> g > old(g);
{
  g := g + n;
}

procedure Twice(n: int)
  requires positive ==> n >= 0;
  modifies g;
  ensures both ==> g > old(g) + 1;
  ensures grows ==> g >= old(g);
{
  call Step(n);
  call Step(n + 1);
}

procedure {:entrypoint} Main(n: int)
  modifies g;
{
  g := 0;
  if (n > 0) {
    call Twice(n);
  } else {
    call Step(0);
  }
  assert g >= 0;
}
