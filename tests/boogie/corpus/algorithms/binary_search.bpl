// Binary search in a sorted array.
// verify: 2 verified, 0 errors
// reach: no bug
procedure BinarySearch(a: [int]int, n: int, key: int) returns (found: bool, at: int)
  requires n >= 0;
  requires (forall i, j: int :: {a[i], a[j]} 0 <= i && i < j && j < n ==> a[i] <= a[j]);
  ensures found ==> 0 <= at && at < n && a[at] == key;
  ensures !found ==> (forall i: int :: 0 <= i && i < n ==> a[i] != key);
{
  var low: int, high: int where high <= n;
  var middle: int;

  low, high, found := 0, n, false;
  while (low < high)
    invariant 0 <= low && low <= high && high <= n;
    invariant (forall i: int :: 0 <= i && i < low ==> a[i] < key);
    invariant (forall i: int :: high <= i && i < n ==> key < a[i]);
  {
    middle := (low + high) div 2;
    if (a[middle] < key) {
      low := middle + 1;
    } else if (key < a[middle]) {
      high := middle;
    } else {
      found, at := true, middle;
      return;
    }
  }
}

procedure {:entrypoint} Main(a: [int]int, key: int)
  requires a[0] <= a[1] && a[1] <= a[2];
{
  var found: bool, at: int;

  call found, at := BinarySearch(a, 3, key);
  assert found ==> a[at] == key;
  assert key == a[1] ==> found;
}
