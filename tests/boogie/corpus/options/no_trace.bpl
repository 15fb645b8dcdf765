// verify /errorTrace:0: 0 verified, 1 error: assert 6
// reach /noTrace /useProverEvaluate: bug at 6
// The options only change what is printed, and how a solver is asked; 0 is not above 0.
procedure {:entrypoint} main(n: int)
{
  assert n > 0;
}
