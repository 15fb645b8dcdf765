// reach --contexts 2: bug at 30
// reach --contexts 1: no bug within the bound
// The first thread waits for the one that it has started, by its identity. So the result is there. That
// nobody can get past the wait is wrong, with two switches.
var result: int;
var done: [int]bool;

procedure corral_getThreadID() returns (id: int);
procedure corral_getChildThreadID() returns (id: int);

procedure Work()
  modifies result, done;
{
  var me: int;
  call me := corral_getThreadID();
  result := 42;
  done[me] := true;
}

procedure {:entrypoint} main()
  modifies result, done;
{
  var child: int;
  result, done := 0, done[2 := false];
  async call Work();
  call child := corral_getChildThreadID();
  assert child == 2;
  assume done[child];
  assert result == 42;
  assert false;
}
