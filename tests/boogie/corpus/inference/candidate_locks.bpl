// Typestates of a lock for every procedure of a small driver; the wrong candidates go, and with
// them nothing is left that proves the assertion in Broken.
// verify /contractInfer: 3 verified, 1 error: assert 48; 4 of 6 inferred: a0, a1, b1, c0
// reach: bug at 48
const {:existential true} a0: bool;
const {:existential true} a1: bool;
const {:existential true} b0: bool;
const {:existential true} b1: bool;
const {:existential true} c0: bool;
const {:existential true} c1: bool;
var locked: bool;
var work: int;

procedure Acquire()
  requires a0 ==> !locked;
  modifies locked;
  ensures a1 ==> locked;
{
  locked := true;
}

procedure Release()
  requires b0 ==> locked;
  modifies locked;
  ensures b1 ==> !locked;
{
  locked := false;
}

procedure Work(n: int)
  requires c0 ==> !locked;
  modifies locked, work;
  ensures c1 ==> locked;
{
  call Acquire();
  work := work + n;
  assert locked;
  call Release();
}

procedure {:entrypoint} Broken()
  modifies locked, work;
{
  locked := false;
  call Work(1);
  call Release();
  call Work(2);
  assert locked;
}
