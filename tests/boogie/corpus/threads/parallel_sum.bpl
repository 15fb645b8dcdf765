// reach --contexts 3: no bug within the bound
// reach --contexts 4: bug at 27
// Two arms of a parallel call add to a total, which they read before they write it. Both arms and the rest
// of main are three switches; one more interrupts an arm, and what the other has added is lost.
var total: int;

procedure Add(n: int) returns (seen: int)
  modifies total;
{
  seen := total;
  total := seen + n;
}

procedure {:entrypoint} main()
  modifies total;
{
  var before, between: int;

  total := 0;
  par before := Add(2) | between := Add(3);

  // Whoever reads last has seen 0, or what the other one has added.
  assert before == 0 || between == 0;
  assert before <= 3 && between <= 2;

  // Nothing is lost unless both have seen 0.
  assert total == 5;
}
