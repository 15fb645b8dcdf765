// Selection sort whose inner loop forgets the last element.
// verify: 1 verified, 1 error: assert 33
// reach: bug at 33
procedure Smallest(a: [int]int, from: int, to: int) returns (at: int)
  requires from < to;
  ensures from <= at && at < to;
{
  var k: int;

  at, k := from, from + 1;
  while (k < to)
    invariant from <= at && at < k && k <= to;
  {
    if (a[k] < a[at]) {
      at := k;
    }
    k := k + 1;
  }
}

procedure {:entrypoint} Main(start: [int]int)
{
  var a: [int]int, i, at: int;

  a, i := start, 0;
  while (i < 2)
    invariant i <= 2;
  {
    call at := Smallest(a, i, 3 - (if i == 0 then 1 else 0));
    a := a[i := a[at]][at := a[i]];
    i := i + 1;
  }
  assert a[0] <= a[1];
}
