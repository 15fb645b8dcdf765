// Reversing an array, but the loop runs over the whole of it: all is swapped back again.
// verify: 0 verified, 2 errors: ensures 10, assert 30
// reach: bug at 21
// reach --static: bug at 21
var a: [int]int;

procedure Reverse(n: int)
  requires n >= 2;
  modifies a;
  ensures a[0] == old(a[n - 1]);
{
  var i: int;

  i := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
  {
    a := a[i := a[n - 1 - i]][n - 1 - i := a[i]];
    i := i + 1;
  }
}

procedure {:entrypoint} Main()
  modifies a;
{
  a[0] := 1;
  a[1] := 2;
  a[2] := 3;
  call Reverse(3);
  assert a[0] + a[1] + a[2] == 6 && a[0] == 3;
}
