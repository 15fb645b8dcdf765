// A queue made of two stacks; elements move from one to the other when it is empty.
// verify: 3 verified, 2 errors: assert 51, assert 55
// reach: no bug
type Stack = [int]int;
var inbox, outbox: Stack;
var ins, outs: int;

procedure Enqueue(x: int)
  requires ins >= 0;
  modifies inbox, ins;
  ensures ins == old(ins) + 1;
{
  inbox[ins], ins := x, ins + 1;
}

procedure Move()
  requires ins >= 0 && outs == 0;
  modifies ins, outs, outbox;
  ensures ins == 0 && outs == old(ins);
{
  while (ins > 0)
    invariant ins >= 0 && ins + outs == old(ins);
  {
    ins := ins - 1;
    outbox[outs] := inbox[ins];
    outs := outs + 1;
  }
}

procedure Dequeue() returns (x: int)
  requires ins >= 0 && outs >= 0 && ins + outs > 0;
  modifies ins, outs, outbox;
  ensures ins + outs == old(ins + outs) - 1 && ins >= 0 && outs >= 0;
{
  if (outs == 0) {
    call Move();
  }
  outs := outs - 1;
  x := outbox[outs];
}

procedure {:entrypoint} Main(a: int, b: int, c: int)
  modifies inbox, outbox, ins, outs;
{
  var x: int;

  ins, outs := 0, 0;
  call Enqueue(a);
  call Enqueue(b);
  call x := Dequeue();
  assert x == a;
  call Enqueue(c);
  call x := Dequeue();
  call x := Dequeue();
  assert x == c;
  assert ins + outs == 0;
}
