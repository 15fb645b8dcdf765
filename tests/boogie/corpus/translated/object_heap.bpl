// Accounts of a bank in such a heap as verifiers of object-oriented programs use.
// verify: 1 verified, 0 errors
// reach --main Withdraw: no bug
/* A heap as one polymorphic map from objects and typed fields to values,
   /* with nested comments */ as verifiers of object-oriented programs use it. */
type ref, Field _;
type Heap = <alpha>[ref, Field alpha]alpha;
type class;

var $Heap: Heap where IsHeap($Heap);
const unique null: ref;
const unique $allocated: Field bool;
const unique Account.balance: Field int;
const unique Account.owner: Field ref;

const unique System.Object: class extends complete;
const unique Account: class extends unique System.Object;
const unique Savings: class extends unique Account complete;

function IsHeap(h: Heap) returns (bool);
function TypeOf(o: ref) returns (class);
function Get<beta>(h: Heap, o: ref, f: Field beta) : beta { h[o, f] }

axiom (forall h: Heap, o: ref, f: Field ref ::
  {h[o, f]} IsHeap(h) && h[o, $allocated] ==> h[o, f] == null || h[h[o, f], $allocated]);
axiom (forall<beta> h: Heap, o: ref, f: Field beta, v: beta ::
  {h[o, f := v]} IsHeap(h) ==> IsHeap(h[o, f := v]));
axiom TypeOf(null) <: System.Object;
axiom (forall c: class :: {c <: Account} c <: Savings ==> c <: Account);

procedure Withdraw(this: ref, amount: int) returns (ok: bool)
  requires $Heap[this, $allocated] && TypeOf(this) <: Account;
  free requires IsHeap($Heap);
  modifies $Heap;
  ensures ok ==> $Heap[this, Account.balance] == old($Heap[this, Account.balance]) - amount;
  ensures !ok ==> $Heap == old($Heap);
  ensures (forall<beta> o: ref, f: Field beta :: {$Heap[o, f]}
    o == this || $Heap[o, f] == old($Heap)[o, f]);
{
  var before: Heap;

  before := $Heap;
  assert before == old($Heap);
  ok := Get($Heap, this, Account.balance) >= amount;
  if (ok) {
    $Heap[this, Account.balance] := $Heap[this, Account.balance] - amount;
    assume IsHeap($Heap);
  }
}
