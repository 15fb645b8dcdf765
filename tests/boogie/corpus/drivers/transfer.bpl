// A transfer in pieces, from a user's buffer to the registers of a device; a heap of fields.
// verify: 3 verified, 0 errors
// reach: no bug
type ref;
type Field;
const unique null: ref;
const unique length, position, busy: Field;
var heap: [Field][ref]int;
const piece: int;
axiom piece == 4;

function {:inline} Valid(heap: [Field][ref]int, d: ref) returns (bool)
{
  0 <= heap[position][d] && heap[position][d] <= heap[length][d]
}

procedure WriteRegister(d: ref, count: int)
  requires d != null && 0 < count && count <= piece;
  requires Valid(heap, d) && heap[position][d] + count <= heap[length][d];
  modifies heap;
  ensures heap == old(heap)[position := old(heap)[position][d := old(heap)[position][d] + count]];
{
  assert 0 < count && count <= piece;
  heap[position][d] := heap[position][d] + count;
}

procedure Transfer(d: ref) returns (pieces: int)
  requires d != null && heap[busy][d] == 0 && Valid(heap, d) && heap[position][d] == 0;
  modifies heap;
  ensures heap[position][d] == heap[length][d] && heap[length][d] == old(heap)[length][d];
  ensures heap[busy][d] == 0;
  ensures pieces * piece >= heap[length][d];
{
  var left: int;

  heap[busy][d], pieces := 1, 0;
  left := heap[length][d];
  while (left > 0)
    invariant Valid(heap, d) && heap[length] == old(heap)[length];
    invariant left == heap[length][d] - heap[position][d];
    invariant pieces * piece >= heap[position][d];
    invariant left > 0 ==> heap[position][d] == pieces * piece;
  {
    if (left >= piece) {
      call WriteRegister(d, piece);
      left := left - piece;
    } else {
      call WriteRegister(d, left);
      left := 0;
    }
    pieces := pieces + 1;
  }
  heap[busy][d] := 0;
}

procedure {:entrypoint} Main(d: ref)
  requires d != null;
  modifies heap;
{
  var pieces: int;

  heap[length][d] := 10;
  heap[position][d] := 0;
  heap[busy][d] := 0;
  call pieces := Transfer(d);
  assert heap[position][d] == 10;
  assert heap[busy][d] == 0 && pieces >= 3;
}
