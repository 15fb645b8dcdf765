// reach --contexts 3: no bug within the bound
// A stack without locks whose head has a version: the head is the same only if nobody changed it.
var head, version: int;
var next: [int]int;
var used: [int]bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure pop() returns (found: int)
  modifies head, version, used;
{
  var below, old_head, old_version: int;
  var swapped: bool;
  old_head, old_version := head, version;
  below := next[old_head];
  call corral_atomic_begin();
  swapped := head == old_head && version == old_version;
  if (swapped) {
    head, version := below, version + 1;
    used[old_head] := true;
  }
  call corral_atomic_end();
  assume swapped;
  found := old_head;
}

procedure push(node: int)
  modifies head, version, next, used;
{
  call corral_atomic_begin();
  used[node] := false;
  next[node] := head;
  head, version := node, version + 1;
  call corral_atomic_end();
}

procedure one()
  modifies head, version, used;
{
  var found: int;
  call found := pop();
  assert head == 0 || !used[head];
}

procedure other()
  modifies head, version, next, used;
{
  var first, second: int;
  call first := pop();
  call second := pop();
  call push(first);
}

procedure {:entrypoint} main()
  modifies head, version, next, used;
{
  head, version := 1, 0;
  next := next[1 := 2][2 := 3][3 := 0];
  used := used[1 := false][2 := false][3 := false];
  async call one();
  async call other();
}
