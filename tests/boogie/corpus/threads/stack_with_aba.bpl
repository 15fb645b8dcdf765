// reach --contexts 3: bug at 45
// A stack without locks: `pop` puts the node below in place of the head if the head is still the same.
// It may be the same node again, after it and the one below it were popped and it was pushed back:
// then a node that another thread uses is the head.
var head: int;
var next: [int]int;
var used: [int]bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure pop() returns (found: int)
  modifies head, used;
{
  var below, old_head: int;
  var swapped: bool;
  old_head := head;
  below := next[old_head];
  call corral_atomic_begin();
  swapped := head == old_head;
  if (swapped) {
    head := below;
    used[old_head] := true;
  }
  call corral_atomic_end();
  assume swapped;
  found := old_head;
}

procedure push(node: int)
  modifies head, next, used;
{
  call corral_atomic_begin();
  used[node] := false;
  next[node] := head;
  head := node;
  call corral_atomic_end();
}

procedure one()
  modifies head, used;
{
  var found: int;
  call found := pop();
  assert head == 0 || !used[head];
}

procedure other()
  modifies head, next, used;
{
  var first, second: int;
  call first := pop();
  call second := pop();
  call push(first);
}

procedure {:entrypoint} main()
  modifies head, next, used;
{
  head := 1;
  next := next[1 := 2][2 := 3][3 := 0];
  used := used[1 := false][2 := false][3 := false];
  async call one();
  async call other();
}
