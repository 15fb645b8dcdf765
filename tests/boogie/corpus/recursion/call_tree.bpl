// Each procedure calls the next one twice: a tree of calls that nobody wants to unroll.
// verify: 6 verified, 1 error: assert 58
// reach: no bug
var count: int;

procedure Leaf()
  modifies count;
  ensures count >= old(count);
{
  if (*) { count := count + 1; }
}

procedure P1()
  modifies count;
  ensures count >= old(count);
{
  call Leaf();
  call Leaf();
}

procedure P2()
  modifies count;
  ensures count >= old(count);
{
  call P1();
  call P1();
}

procedure P3()
  modifies count;
  ensures count >= old(count);
{
  call P2();
  call P2();
}

procedure P4()
  modifies count;
  ensures count >= old(count);
{
  call P3();
  call P3();
}

procedure P5()
  modifies count;
  ensures count >= old(count);
{
  call P4();
  call P4();
}

procedure {:entrypoint} Main(flag: bool)
  modifies count;
{
  count := 0;
  call P2();
  assert count <= 4;
  if (flag) {
    call P5();
    assume !flag;
  }
  assert count >= 0;
}
