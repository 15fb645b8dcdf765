// Newton's method on reals, and the same step on floats with built-in operations.
// verify: 2 verified, 0 errors
// reach --main Sqrt: no bug within the recursion bound
function {:builtin "fp.sqrt"} fsqrt(rmode, float24e8) returns (float24e8);
function {:builtin "fp.isNaN"} isNaN(float24e8) returns (bool);
const epsilon: real;
axiom epsilon == 1e-6 && 0.0 < epsilon && epsilon < 1.5;

procedure Sqrt(x: real) returns (r: real, steps: int)
  requires x >= 1.0;
  ensures r > 0.0;
{
  r, steps := x, 0;
  while (r * r - x > epsilon && steps < 100)
    invariant r > 0.0;
    invariant 0 <= steps && steps <= 100;
  {
    r := (r + x / r) / 2.0;
    steps := steps + 1;
  }
  assert real(steps) <= 100.0 && int(0.5) == 0;
  assert 2.0 ** 3.0 == 8.0 && 1 / 2 == 0.5;
}

procedure Step(x: float24e8) returns (y: float24e8)
  requires !isNaN(x) && x >= 0x1.0e0f24e8;
{
  y := fsqrt(RNE, x) * 0x0.8e0f24e8 + -0x1.8e-1f24e8;
  if (isNaN(y)) {
    y := 0NaN24e8;
  } else if (x == 0+oo24e8) {
    y := 0-oo24e8;
  }
}
