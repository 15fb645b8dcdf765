// Fibonacci numbers, by a recursive function and by a loop.
// verify: 2 verified, 0 errors
// reach: no bug
function fib(n: int) returns (int)
{
  if n < 2 then n else fib(n - 1) + fib(n - 2)
}

procedure Fib(n: int) returns (a: int)
  requires n >= 0;
  ensures a == fib(n);
{
  var b, i: int;

  a, b, i := 0, 1, 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant a == fib(i) && b == fib(i + 1);
  {
    a, b, i := b, a + b, i + 1;
  }
}

procedure {:entrypoint} Main()
{
  var r: int;

  call r := Fib(3);
  assert fib(2) == 1;
  assert r == 2;
}
