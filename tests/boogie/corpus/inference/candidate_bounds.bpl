// Which bounds of a loop hold? Three of the five candidates do, and they are enough.
// verify /contractInfer: 2 verified, 0 errors; 3 of 5 inferred: low, high, sum
// reach: no bug
// reach --main Count --no-summaries: no bug within the recursion bound
const {:existential true} low: bool;
const {:existential true} high: bool;
const {:existential true} strict: bool;
const {:existential true} even: bool;
const {:existential true} sum: bool;

procedure Count(n: int)
  requires n >= 0;
{
  var i, s: int;

  i, s := 0, 0;
  while (i < n)
    invariant low ==> 0 <= i;
    invariant high ==> i <= n;
    invariant strict ==> i < n;
    invariant even ==> i mod 2 == 0;
    invariant sum ==> s == 3 * i;
  {
    i := i + 1;
    s := s + 3;
  }
  assert s == 3 * n;
}

procedure {:entrypoint} Closed(n: int) returns (s: int)
{
  s := 3 * n;
  assert s mod 3 == 0;
}
