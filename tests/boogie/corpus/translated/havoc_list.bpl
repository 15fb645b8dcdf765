// What a translator of C with field maps makes of code on singly linked lists of devices.
// verify: 3 verified, 0 errors
// reach --main clear_flags --recursion-bound 3: no bug within the recursion bound
type byte;
type name;
const unique T.Flink__LIST_ENTRY, T.Flags__DEVICE: name;
var alloc: [int]name;
const unique UNALLOCATED, ALLOCATED, FREED: name;
var Mem: [name][int]int;

function Base(int) returns (int);
function Size(int) returns (int);
function {:inline} Flink__LIST_ENTRY(x: int) returns (int) { x + 0 }
function {:inline} Flags__DEVICE(x: int) returns (int) { x + 8 }
function {:inline} INT_ADD(x: int, y: int) returns (int) { x + y }
function BIT_BAND(x: int, y: int) returns (int);
axiom (forall a: int :: {BIT_BAND(a, 0)} BIT_BAND(a, 0) == 0);

// The nodes that are on the way from one node to another.
function Btwn(next: [int]int, x: int, y: int) returns ([int]bool);
axiom (forall n: [int]int, x: int :: {Btwn(n, x, x)} Btwn(n, x, 0)[x] || x == 0);
axiom (forall n: [int]int, x, z: int :: {Btwn(n, x, 0)[z]}
  Btwn(n, x, 0)[z] <==> x != 0 && (z == x || Btwn(n, n[x], 0)[z]));

procedure malloc(size: int) returns (new: int)
  requires size >= 0;
  modifies alloc;
  ensures old(alloc)[new] == UNALLOCATED && new > 0;
  ensures alloc == old(alloc)[new := ALLOCATED];
{
  havoc new;
  assume new > 0 && alloc[new] == UNALLOCATED;
  assume Base(new) == new && Size(new) == size;
  alloc[new] := ALLOCATED;
}

procedure clear_flags(head: int)
  requires head >= 0;
  modifies Mem;
  ensures Mem[T.Flink__LIST_ENTRY] == old(Mem)[T.Flink__LIST_ENTRY];
{
  var at: int;
  var next: [int]int;

  next := Mem[T.Flink__LIST_ENTRY];
  at := head;
  while (at != 0)
    invariant Mem[T.Flink__LIST_ENTRY] == next;
    invariant at == 0 || Btwn(next, at, 0)[at];
  {
    Mem[T.Flags__DEVICE][Flags__DEVICE(at)] := BIT_BAND(Mem[T.Flags__DEVICE][Flags__DEVICE(at)], 0);
    assert Mem[T.Flags__DEVICE][INT_ADD(at, 8)] == 0;
    at := Mem[T.Flink__LIST_ENTRY][Flink__LIST_ENTRY(at)];
  }
}

procedure push(head: int) returns (new: int)
  modifies alloc, Mem;
  ensures new > 0 && Mem[T.Flink__LIST_ENTRY][new] == head;
  ensures Btwn(Mem[T.Flink__LIST_ENTRY], new, 0)[new];
{
  call new := malloc(16);
  Mem[T.Flink__LIST_ENTRY][Flink__LIST_ENTRY(new)] := head;
  Mem[T.Flags__DEVICE][Flags__DEVICE(new)] := 1;
}
