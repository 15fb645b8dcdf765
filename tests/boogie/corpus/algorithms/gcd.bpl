// Euclid's algorithm by subtraction; what a greatest common divisor is, axioms say.
// verify: 2 verified, 0 errors
// reach: no bug
function gcd(a: int, b: int) returns (int);
axiom (forall a: int :: {gcd(a, a)} a > 0 ==> gcd(a, a) == a);
axiom (forall a, b: int :: {gcd(a, b)} 0 < b && b < a ==> gcd(a, b) == gcd(a - b, b));
axiom (forall a, b: int :: {gcd(a, b)} 0 < a && a < b ==> gcd(a, b) == gcd(a, b - a));

procedure Gcd(a: int, b: int) returns (r: int)
  requires a > 0 && b > 0;
  ensures r == gcd(a, b);
{
  var x, y: int;

  x, y := a, b;
  while (x != y)
    invariant x > 0 && y > 0;
    invariant gcd(x, y) == gcd(a, b);
  {
    if (x > y) {
      x := x - y;
    } else {
      y := y - x;
    }
  }
  r := x;
}

procedure {:entrypoint} Main()
{
  var r: int;

  call r := Gcd(12, 18);
  assert r == gcd(12, 18);
  call r := Gcd(7, 7);
  assert r == 7;
}
