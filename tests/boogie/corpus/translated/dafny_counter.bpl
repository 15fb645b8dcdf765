// A class with a field and a ghost invariant, as a verifier of objects translates it: one heap for
// everything, frames, and a relation between heaps and their successors.
// verify: 4 verified, 0 errors
// reach --main Impl$$_module.__default.Main: no bug
type Ty;
type ref;
type Field _;
type Heap = [ref]<alpha>[Field alpha]alpha;
type ClassName;

const null: ref;
const unique alloc: Field bool;
const unique _module.Counter.value: Field int;
const unique _module.Counter.limit: Field int;
const unique class._module.Counter: ClassName;
function dtype(o: ref) returns (ClassName);

var $Heap: Heap where $IsGoodHeap($Heap);
var $Tick: int;

function $IsGoodHeap(Heap) returns (bool);
function $HeapSucc(Heap, Heap) returns (bool);
axiom (forall<alpha> h: Heap, r: ref, f: Field alpha, x: alpha :: {h[r := h[r][f := x]]}
  $IsGoodHeap(h[r := h[r][f := x]]) ==> $HeapSucc(h, h[r := h[r][f := x]]));
axiom (forall a, b, c: Heap :: {$HeapSucc(a, b), $HeapSucc(b, c)}
  $HeapSucc(a, b) && $HeapSucc(b, c) ==> $HeapSucc(a, c));
axiom (forall h, k: Heap :: {$HeapSucc(h, k)}
  $HeapSucc(h, k) ==> (forall o: ref :: {k[o][alloc]} h[o][alloc] ==> k[o][alloc]));

function _module.Counter.Valid($heap: Heap, this: ref) returns (bool)
{
  0 <= $heap[this][_module.Counter.value]
    && $heap[this][_module.Counter.value] <= $heap[this][_module.Counter.limit]
}

procedure Impl$$_module.Counter.Inc(this: ref) returns (done#0: bool)
  requires this != null && dtype(this) == class._module.Counter && $Heap[this][alloc];
  requires _module.Counter.Valid($Heap, this);
  modifies $Heap, $Tick;
  ensures _module.Counter.Valid($Heap, this);
  ensures done#0 ==> $Heap[this][_module.Counter.value]
    == old($Heap)[this][_module.Counter.value] + 1;
  free ensures $HeapSucc(old($Heap), $Heap);
  ensures (forall<alpha> $o: ref, $f: Field alpha :: {$Heap[$o][$f]}
    $Heap[$o][$f] == old($Heap)[$o][$f] || ($o == this && $f == _module.Counter.value));
{
  var $rhs#0: int;

  done#0 := $Heap[this][_module.Counter.value] < $Heap[this][_module.Counter.limit];
  if (done#0) {
    assume {:captureState "counter.dfy(14,4)"} true;
    $rhs#0 := $Heap[this][_module.Counter.value] + 1;
    $Heap[this][_module.Counter.value] := $rhs#0;
    assume $IsGoodHeap($Heap);
  }
}

procedure Impl$$_module.Counter.Init(this: ref, n#0: int)
  requires this != null && n#0 >= 0 && $Heap[this][alloc];
  modifies $Heap, $Tick;
  ensures _module.Counter.Valid($Heap, this) && $Heap[this][_module.Counter.limit] == n#0;
  ensures $Heap[this][alloc];
{
  $Heap[this][_module.Counter.value] := 0;
  $Heap[this][_module.Counter.limit] := n#0;
}

procedure CheckWellformed$$_module.Counter.Valid(this: ref)
  free requires this != null;
{
  if (*) {
    assert this != null;
    assume 0 <= $Heap[this][_module.Counter.value];
    assert {:subsumption 0} this != null;
  }
}

procedure Impl$$_module.__default.Main(c#0: ref)
  requires c#0 != null && $Heap[c#0][alloc] && dtype(c#0) == class._module.Counter;
  modifies $Heap, $Tick;
{
  var b#0: bool;
  var prev#0: int;

  call Impl$$_module.Counter.Init(c#0, 2);
  prev#0 := $Heap[c#0][_module.Counter.value];
  call b#0 := Impl$$_module.Counter.Inc(c#0);
  assert _module.Counter.Valid($Heap, c#0);
  assert b#0 ==> $Heap[c#0][_module.Counter.value] == prev#0 + 1;
}
