// verify: 0 verified, 1 error: assert 14
// reach: bug at 14
// Labels may look like parts of other blocks: b comes after a, where x is 5, and nobody gets to a.1.
procedure {:entrypoint} Main()
{
  var x: int;

  a: x := 1;
     assert x == 1;
     x := 5;
     goto b;
  a.1: x := 1;
     goto b;
  b: assert x == 1;
     return;
}
