// The sieve of Eratosthenes up to ten; every loop runs to its end.
// verify: 0 verified, 2 errors: assert 28, assert 29
// reach: no bug
procedure {:entrypoint} Sieve()
{
  var prime: [int]bool;
  var i, j, found: int;

  i := 2;
  while (i < 10)
  {
    prime[i] := true;
    i := i + 1;
  }
  found, i := 0, 2;
  while (i < 10)
  {
    if (prime[i]) {
      found, j := found + 1, 2 * i;
      while (j < 10)
      {
        prime[j] := false;
        j := j + i;
      }
    }
    i := i + 1;
  }
  assert prime[2] && prime[3] && !prime[4] && prime[5] && !prime[6] && prime[7];
  assert !prime[8] && !prime[9] && found == 4;
}
