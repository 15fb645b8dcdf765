// Reversing an array in place, proved against the array at the start.
// verify: 2 verified, 0 errors
// reach: no bug
var a: [int]int;

procedure Reverse(n: int)
  requires n >= 0;
  modifies a;
  ensures (forall i: int :: 0 <= i && i < n ==> a[i] == old(a)[n - 1 - i]);
  ensures (forall i: int :: i < 0 || n <= i ==> a[i] == old(a[i]));
{
  var low, high: int;

  low, high := 0, n - 1;
  while (low < high)
    invariant 0 <= low && low + high == n - 1 && low <= high + 1;
    invariant (forall i: int :: 0 <= i && i < low ==> a[i] == old(a)[n - 1 - i]);
    invariant (forall i: int :: high < i && i < n ==> a[i] == old(a)[n - 1 - i]);
    invariant (forall i: int :: i < 0 || n <= i || (low <= i && i <= high) ==> a[i] == old(a)[i]);
  {
    a := a[low := a[high]][high := a[low]];
    low, high := low + 1, high - 1;
  }
}

procedure {:entrypoint} Main()
  modifies a;
{
  var first: int;

  first := a[0];
  call Reverse(4);
  assert a[3] == first;
  call Reverse(4);
  assert a[0] == first;
}
