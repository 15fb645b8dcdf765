// Two procedures that call each other.
// verify: 4 verified, 0 errors
// reach --recursion-bound 4: no bug
// reach --main Any: no bug
// reach --main Any --no-summaries: no bug within the recursion bound
procedure Even(n: int) returns (r: bool)
  requires n >= 0;
  ensures r <==> n mod 2 == 0;
{
  if (n == 0) {
    r := true;
  } else {
    call r := Odd(n - 1);
  }
}

procedure Odd(n: int) returns (r: bool)
  requires n >= 0;
  ensures r <==> n mod 2 == 1;
{
  if (n == 0) {
    r := false;
  } else {
    call r := Even(n - 1);
  }
}

procedure {:entrypoint} Main()
{
  var e: bool;

  call e := Even(5);
  assert !e;
}

procedure Any(n: int)
  requires n >= 0;
{
  var e, o: bool;

  call e := Even(n);
  call o := Odd(n);
  assert e != o;
}
