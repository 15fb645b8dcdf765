// Loops that count run to their end, however small the bound: 27 iterations, and five times six.
// verify: 3 verified, 0 errors
// reach --recursion-bound 2: no bug
// reach --main Nested --recursion-bound 2: no bug
// reach --main Down --recursion-bound 2: no bug
procedure {:entrypoint} Single()
{
  var i, s: int;

  i, s := 0, 0;
  while (i < 27)
    invariant i <= 27 && s == 2 * i;
  {
    s := s + 2;
    i := i + 1;
  }
  assert s == 54;
}

procedure Nested()
{
  var i, j, s: int;

  i, s := 0, 0;
  while (i < 5)
    invariant 0 <= i && i <= 5 && s == 6 * i;
  {
    j := 0;
    while (j < 6)
      invariant 0 <= j && j <= 6 && s == 6 * i + j;
    {
      s := s + 1;
      j := j + 1;
    }
    i := i + 1;
  }
  assert s == 30;
}

procedure Down()
{
  var k: int, steps: int;

  k, steps := 40, 0;
  while (k > 0)
    invariant k >= -2 && k + 3 * steps == 40;
  {
    k := k - 3;
    steps := steps + 1;
  }
  assert steps == 14;
}
