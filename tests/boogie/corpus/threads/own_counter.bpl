// reach --contexts 3: no bug within the bound
// Each thread has a counter of its own: what a thread counts, no other one sees.
var {:thread_local} count: int;
var sum: int;

procedure Work()
  modifies count, sum;
{
  count := 0;
  count := count + 1;
  sum := sum + count;
  assert count == 1;
}

procedure {:entrypoint} main()
  modifies count, sum;
{
  sum, count := 0, 5;
  async call Work();
  async call Work();
  assert count == 5;
  assert sum <= 2;
}
