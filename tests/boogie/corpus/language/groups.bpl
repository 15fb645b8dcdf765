// Laws of groups by quantified axioms: what follows from them, and what does not.
// verify: 3 verified, 1 error: assert 45
// reach --main LeftInverse: no bug
type Element;
const unit: Element;
function mul(x: Element, y: Element) returns (Element);
function inv(x: Element) returns (Element);
axiom (forall x, y, z: Element :: {mul(mul(x, y), z)} {mul(x, mul(y, z))}
  mul(mul(x, y), z) == mul(x, mul(y, z)));
axiom (forall x: Element :: {mul(x, unit)} mul(x, unit) == x);
axiom (forall x: Element :: {inv(x)} mul(x, inv(x)) == unit);

procedure LeftInverse(x: Element)
  ensures mul(inv(x), x) == unit;
{
  var y, z: Element;

  y := inv(x);
  z := inv(y);
  assert mul(mul(y, x), mul(y, z)) == mul(y, x);
  assert mul(y, mul(x, y)) == y;
  assert mul(mul(mul(y, x), y), z) == unit;
}

procedure LeftUnit(x: Element)
  ensures mul(unit, x) == x;
{
  call LeftInverse(x);
  assert mul(mul(x, inv(x)), x) == mul(x, mul(inv(x), x));
}

procedure Cancel(a: Element, x: Element, y: Element)
  requires mul(a, x) == mul(a, y);
  ensures x == y;
{
  call LeftInverse(a);
  call LeftUnit(x);
  call LeftUnit(y);
  assert mul(mul(inv(a), a), x) == mul(inv(a), mul(a, x));
  assert mul(mul(inv(a), a), y) == mul(inv(a), mul(a, y));
}

procedure Commutes(x: Element, y: Element)
{
  assert mul(x, y) == mul(y, x);
}
