// Two objects, one heap: the translation of a transfer between accounts which may be one account.
// verify: 1 verified, 2 errors: ensures 16, assert 38
// reach: bug at 25
type ref;
type Field _;
type Heap = <T>[ref, Field T]T;
const unique null: ref;
const unique Account.balance: Field int;
const unique Account.open: Field bool;
var $Heap: Heap;

procedure Transfer(from: ref, to: ref, amount: int)
  requires from != null && to != null && amount >= 0;
  requires $Heap[from, Account.open] && $Heap[to, Account.open];
  modifies $Heap;
  ensures $Heap[from, Account.balance] == old($Heap)[from, Account.balance] - amount;
  ensures $Heap[from, Account.open];
{
  var source, target: int;

  source := $Heap[from, Account.balance];
  target := $Heap[to, Account.balance];
  $Heap[from, Account.balance] := source - amount;
  $Heap[to, Account.balance] := target + amount;
}

procedure {:entrypoint} Main(a: ref, b: ref)
  requires a != null && b != null;
  modifies $Heap;
{
  var before: int;

  $Heap[a, Account.open] := true;
  $Heap[b, Account.open] := true;
  before := $Heap[a, Account.balance] + $Heap[b, Account.balance];
  call Transfer(a, b, 5);
  assert $Heap[a, Account.open];
  assert $Heap[a, Account.balance] + $Heap[b, Account.balance] == before;
}

procedure Close(a: ref)
  requires a != null && $Heap[a, Account.balance] == 0;
  modifies $Heap;
  ensures !$Heap[a, Account.open] && $Heap[a, Account.balance] == 0;
{
  $Heap[a, Account.open] := false;
}
