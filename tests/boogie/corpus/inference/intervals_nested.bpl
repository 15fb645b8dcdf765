// verify /infer:j: 1 verified, 0 errors
// verify: 0 verified, 1 error: assert 15
// reach --recursion-bound 7: no bug
// `j` starts with `i`, which is at most 4, and only falls; so the sum of both is below 9.
procedure {:entrypoint} triangle()
{
  var i, j: int;
  i := 0;
  j := 0;
  while (i < 5) {
    j := i;
    while (j > 0) { j := j - 1; }
    i := i + 1;
  }
  assert 0 <= j && i + j <= 9;
}
