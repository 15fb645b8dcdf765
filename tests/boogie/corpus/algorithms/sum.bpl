// The sum of an array: a recursive function, a loop, and a lemma by induction.
// verify: 3 verified, 0 errors
// reach --main Client: no bug
function sum(a: [int]int, n: int) returns (int)
{
  if n <= 0 then 0 else sum(a, n - 1) + a[n - 1]
}

procedure Sum(a: [int]int, n: int) returns (s: int)
  requires n >= 0;
  ensures s == sum(a, n);
{
  var i: int;

  i, s := 0, 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant s == sum(a, i);
  {
    s := s + a[i];
    i := i + 1;
  }
}

procedure NotNegative(a: [int]int, n: int)
  requires (forall i: int :: 0 <= i && i < n ==> a[i] >= 0);
  ensures sum(a, n) >= 0;
{
  if (n > 0) {
    call NotNegative(a, n - 1);
  }
}

procedure Client(a: [int]int)
  requires a[0] == 10 && a[1] == 20 && a[2] == 12;
{
  var s: int;

  call s := Sum(a, 3);
  assert sum(a, 0) == 0 && sum(a, 1) == 10 && sum(a, 2) == 30;
  assert s == 42;
}
