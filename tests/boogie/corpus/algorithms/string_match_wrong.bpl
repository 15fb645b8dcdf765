// Naive search of a pattern in a text; the last place where it fits is not tried.
// verify: 0 verified, 1 error: assert 31
// reach: bug at 31
const text, pattern: [int]int;

procedure {:entrypoint} Main()
  requires pattern[0] == 97 && pattern[1] == 98;
{
  var i, j, at: int;

  at, i := -1, 0;
  while (i < 2)
    invariant i >= 0;
    invariant at >= 0 ==> text[at] == 97 && text[at + 1] == 98;
  {
    j := 0;
    while (j < 2 && text[i + j] == pattern[j])
      invariant 0 <= j && j <= 2;
      invariant j > 0 ==> text[i] == pattern[0];
      invariant j > 1 ==> text[i + 1] == pattern[1];
    {
      j := j + 1;
    }
    if (j == 2) {
      at := i;
      break;
    }
    i := i + 1;
  }
  // The text is four characters long, and the pattern two.
  assert at == -1 ==> text[2] != 97 || text[3] != 98;
}
