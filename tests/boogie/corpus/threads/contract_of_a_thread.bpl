// reach --contexts 1: no bug within the bound
// reach --contexts 2: no bug within the bound
// reach --contexts 3: bug at 13
// The postcondition of a thread is checked where it ends. Alone it holds; the first thread may write in
// between: main, the other one, main, and the other one where it returns are three switches.
var x: int;

procedure Reset()
  modifies x;
  ensures x == 0;
{
  x := 0;
}

procedure {:entrypoint} main()
  modifies x;
{
  x := 0;
  async call Reset();
  x := 1;
}
