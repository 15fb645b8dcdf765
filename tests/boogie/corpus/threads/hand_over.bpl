// reach --contexts 3: no bug within the bound
// The value is written before the flag, and read only where the flag is set.
var full: bool;
var value: int;
procedure produce() { value := 42; full := true; }
procedure {:entrypoint} main()
{
  var seen: int;
  full := false; value := 0;
  async call produce();
  assume full;
  seen := value;
  assert seen == 42;
}
