// verify: 0 verified, 3 errors: assert 10, assert 11, assert 17
// reach --main Off: bug at 10
// What is asserted is assumed afterwards, unless subsumption is switched off: then the same assertion fails
// again. A 1 switches it off for quantifiers only.
var g: int;

procedure Off()
{
  // Nothing is known of g, here and below.
  assert {:subsumption 0} g > 0;
  assert g > 0;
  assert g >= 0;
}

procedure On()
{
  assert {:subsumption 1} g > 0;
  assert g > 0;
}
