// Quicksort's partition, with a labelled loop that is left from inside.
// verify: 1 verified, 0 errors
// reach --main Partition --recursion-bound 3: no bug within the recursion bound
type Array = [int]int;

procedure Partition(a: Array, low: int, high: int) returns (b: Array, pivot: int)
  requires low < high;
  ensures low <= pivot && pivot < high;
  ensures (forall i: int :: low <= i && i < pivot ==> b[i] <= b[pivot]);
  ensures (forall i: int :: pivot < i && i < high ==> b[pivot] <= b[i]);
{
  var left, right, key: int;

  b, left, right := a, low + 1, high - 1;
  key := b[low];
scan:
  while (true)
    invariant low < left && left <= high && low <= right && right < high;
    invariant (forall i: int :: low < i && i < left ==> b[i] <= key);
    invariant (forall i: int :: right < i && i < high ==> key <= b[i]);
    invariant b[low] == key;
  {
    while (left < high && b[left] <= key)
      invariant low < left && left <= high;
      invariant (forall i: int :: low < i && i < left ==> b[i] <= key);
    {
      left := left + 1;
    }
    while (b[right] > key)
      invariant low <= right && right < high;
      invariant (forall i: int :: right < i && i < high ==> key <= b[i]);
    {
      right := right - 1;
      if (right == low) { break; }
    }
    if (left >= right) { break scan; }
    b := b[left := b[right]][right := b[left]];
  }
  assert b[right] <= key;
  pivot := right;
  b := b[low := b[pivot]][pivot := key];
}
