// Free clauses are believed: callers rely on them, bodies need not keep them, a lie goes unnoticed.
// verify: 3 verified, 1 error: call 33 requires 7
// reach --main Trusting: no bug
var count: int;

procedure Next() returns (n: int)
  requires count >= 0;
  free requires count < 100;
  modifies count;
  ensures n == old(count) && count == n + 1;
  free ensures n mod 2 == 0;
{
  assert count < 100;
  n := count;
  count := count + 1;
}

procedure Trusting()
  requires count == 7;
  modifies count;
{
  var n: int;

  call n := Next();
  assert n != 7;
}

procedure Careless()
  modifies count;
{
  var n: int;

  call n := Next();
}

procedure Loop(n: int)
  requires n > 0;
{
  var i: int;

  i := 0;
  while (i != n)
    free invariant 0 <= i && i <= n;
  {
    i := i + 1;
  }
  assert i > 0;
}
