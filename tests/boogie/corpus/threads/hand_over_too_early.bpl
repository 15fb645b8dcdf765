// reach --contexts 1: no bug within the bound
// reach --contexts 2: bug at 13
// The flag is set before the value is written: the reader may come between.
var full: bool;
var value: int;
procedure produce() { full := true; value := 42; }
procedure {:entrypoint} main()
{
  var seen: int;
  full := false; value := 0;
  async call produce();
  assume full; seen := value;
  assert seen == 42;
}
