// IEEE numbers: sums depend on their order, and not-a-number is not even itself.
// verify: 1 verified, 2 errors: assert 30, assert 36
// reach --main Order: no bug
// reach --main Associative: bug at 30
// reach --main Reflexive: bug at 36
type float = float11e5;
function {:builtin "fp.add"} add(rmode, float, float) returns (float);
function {:builtin "fp.isNaN"} isNaN(float) returns (bool);
function {:builtin "fp.isInfinite"} isInfinite(float) returns (bool);
function {:builtin "fp.leq"} leq(float, float) returns (bool);
function {:builtin "fp.eq"} feq(float, float) returns (bool);

procedure Order(x: float, y: float)
  requires !isNaN(x) && !isNaN(y) && !isInfinite(x) && !isInfinite(y);
{
  assert add(RNE, x, y) == add(RNE, y, x);
  assert !isNaN(add(RNE, x, y));
  assert leq(x, y) || leq(y, x);
}

procedure Associative()
{
  var x, y: float;

  x := 0x1.0e0f11e5;
  y := 0x0.0e0f11e5;
  assert add(RNE, x, y) == x;
  havoc y;
  assume !isNaN(y) && !isInfinite(y);
  assert add(RNE, add(RNE, x, y), y) == add(RNE, x, add(RNE, y, y));
}

procedure Reflexive(x: float)
{
  assert isNaN(x) || feq(x, x);
  assert feq(x, x);
}
