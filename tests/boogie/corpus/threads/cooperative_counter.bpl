// reach --contexts 4 --cooperative: no bug within the bound
// reach --contexts 4: bug at 26
// Without a yield between reading and writing nothing is lost as long as threads are interrupted only where
// they yield; else it is.
var counter, done: int;

procedure Work()
  modifies counter, done;
{
  var seen: int;
  seen := counter;
  counter := seen + 1;
  yield;
  done := done + 1;
}

procedure {:entrypoint} main()
  modifies counter, done;
{
  counter, done := 0, 0;
  async call Work();
  async call Work();
  yield;
  assume done == 2;

  assert counter == 2;
}
