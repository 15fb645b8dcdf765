// Two procedures that call themselves inside of their own calls.
// verify: 3 verified, 0 errors
// reach: no bug
// reach --no-summaries: no bug within the recursion bound
procedure {:entrypoint} main()
{
  var x, y: int;
  havoc x;
  assume 0 <= x && x <= 10;
  call y := McCarthy(x);
  assert y == 91;
  call y := Ackermann(2, x);
  assert y > x;
}

procedure McCarthy(n: int) returns (r: int)
  ensures n > 100 ==> r == n - 10;
  ensures n <= 100 ==> r == 91;
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := McCarthy(n + 11);
    call r := McCarthy(r);
  }
}

procedure Ackermann(m: int, n: int) returns (r: int)
  requires m >= 0 && n >= 0;
  ensures r > n;
{
  if (m == 0) {
    r := n + 1;
  } else if (n == 0) {
    call r := Ackermann(m - 1, 1);
  } else {
    call r := Ackermann(m, n - 1);
    call r := Ackermann(m - 1, r);
  }
}
