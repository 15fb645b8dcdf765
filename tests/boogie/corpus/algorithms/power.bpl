// Fast exponentiation; a lemma about powers of squares is a procedure that calls itself.
// verify: 3 verified, 0 errors
// reach: no bug
function pow(x: int, n: int) returns (int);
axiom (forall x: int :: {pow(x, 0)} pow(x, 0) == 1);
axiom (forall x, n: int :: {pow(x, n)} n > 0 ==> pow(x, n) == x * pow(x, n - 1));

procedure Square(x: int, n: int)
  requires n >= 0;
  ensures pow(x * x, n) == pow(x, 2 * n);
{
  if (n > 0) {
    call Square(x, n - 1);
    assert pow(x, 2 * n) == x * pow(x, 2 * n - 1);
    assert pow(x, 2 * n - 1) == x * pow(x, 2 * (n - 1));
    assert pow(x * x, n) == x * x * pow(x * x, n - 1);
  } else {
    assert pow(x * x, 0) == 1 && pow(x, 0) == 1;
  }
}

procedure Power(x: int, n: int) returns (r: int)
  requires n >= 0;
  ensures r == pow(x, n);
{
  var b, e: int;

  b, e, r := x, n, 1;
  while (e > 0)
    invariant e >= 0;
    invariant r * pow(b, e) == pow(x, n);
  {
    if (e mod 2 == 1) {
      assert pow(b, e) == b * pow(b, e - 1);
      assert r * (b * pow(b, e - 1)) == r * b * pow(b, e - 1);
      r := r * b;
      e := e - 1;
    } else {
      call Square(b, e div 2);
      assert 2 * (e div 2) == e;
      assert pow(b * b, e div 2) == pow(b, e);
      b := b * b;
      e := e div 2;
    }
  }
  assert pow(b, 0) == 1;
}

procedure {:entrypoint} Main()
{
  var r: int;

  call r := Power(3, 2);
  assert r == pow(3, 2);
}
