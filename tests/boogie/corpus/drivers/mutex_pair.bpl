// A lock with an owner and a depth, as recursive mutexes have; releasing must match acquiring.
// verify: 4 verified, 0 errors
// reach: no bug
var owner: [int]int;
var depth: [int]int;

function {:inline} Free(owner: [int]int, depth: [int]int, m: int) returns (bool)
{
  owner[m] == 0 && depth[m] == 0
}

procedure Lock(m: int, thread: int)
  requires thread != 0 && (Free(owner, depth, m) || (owner[m] == thread && depth[m] > 0));
  modifies owner, depth;
  ensures owner == old(owner)[m := thread] && depth == old(depth)[m := old(depth)[m] + 1];
{
  assert owner[m] == 0 || owner[m] == thread;
  owner[m] := thread;
  depth[m] := depth[m] + 1;
}

procedure Unlock(m: int, thread: int)
  requires thread != 0 && owner[m] == thread && depth[m] > 0;
  modifies owner, depth;
  ensures depth == old(depth)[m := old(depth)[m] - 1];
  ensures owner == old(owner)[m := if old(depth)[m] == 1 then 0 else thread];
{
  assert owner[m] == thread;
  depth[m] := depth[m] - 1;
  if (depth[m] == 0) {
    owner[m] := 0;
  }
}

procedure Nested(m: int, thread: int, n: int)
  requires thread != 0 && n >= 0 && owner[m] == thread && depth[m] > 0;
  modifies owner, depth;
  ensures owner[m] == thread && depth[m] == old(depth)[m];
{
  if (n > 0) {
    call Lock(m, thread);
    call Nested(m, thread, n - 1);
    call Unlock(m, thread);
  }
}

procedure {:entrypoint} Main(m: int)
  requires Free(owner, depth, m);
  modifies owner, depth;
{
  call Lock(m, 7);
  call Nested(m, 7, 2);
  call Unlock(m, 7);
  assert Free(owner, depth, m);
}
