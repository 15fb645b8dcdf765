// verify: 1 verified, 1 error: assert 14
// reach: bug at 14
// A function with {:define} is its body.  The other one has a body too, and is in a trigger: from
// `double(n)` the axiom says what `half` gives.
function {:define} next(n: int): int { n + 1 }
function double(n: int): int { n + n }
function half(int): int;
axiom (forall n: int :: {double(n)} half(double(n)) == n);
procedure by_trigger(n: int)
{ assert next(n) == n + 1; assert half(double(next(n))) == n + 1; }
procedure {:entrypoint} main(n: int)
{
  call by_trigger(n);
  assert half(n) + half(n) == n;
}
