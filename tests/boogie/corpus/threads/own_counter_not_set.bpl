// reach --contexts 1: bug at 9
// What a thread has for itself is any value where it starts, not that of the thread which started it.
var {:thread_local} count: int;

procedure Work()
  modifies count;
{
  // Five is what the first thread has.
  assert count == 5;
}

procedure {:entrypoint} main()
  modifies count;
{
  count := 5;
  async call Work();
}
