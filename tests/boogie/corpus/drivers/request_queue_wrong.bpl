// A queue of requests with cancellation, which forgets to count what it skips.
// verify: 3 verified, 1 error: assert 63
// reach: bug at 63
type ref;
const unique null: ref;
var Flink: [ref]ref;
var cancelled: [ref]bool;
var head, tail: ref;
var length: int;

procedure InsertTail(r: ref)
  modifies Flink, head, tail, length;
{
  Flink[r] := null;
  if (tail == null) {
    head := r;
  } else {
    Flink[tail] := r;
  }
  tail := r;
  length := length + 1;
}

procedure Cancel(r: ref)
  modifies cancelled;
{
  cancelled[r] := true;
}

procedure RemoveHead() returns (r: ref)
  modifies Flink, head, tail, length;
{
  r := head;
  while (r != null && cancelled[r])
  {
    // Skip it; it was counted when it was inserted.
    head := Flink[r];
    r := head;
  }
  if (r != null) {
    head := Flink[r];
    length := length - 1;
  }
  if (head == null) {
    tail := null;
  }
}

procedure {:entrypoint} Main(a: ref, b: ref)
  requires a != null && b != null && a != b && !cancelled[a] && !cancelled[b];
  modifies Flink, head, tail, length, cancelled;
{
  var r: ref;

  head, tail, length := null, null, 0;
  call InsertTail(a);
  call InsertTail(b);
  if (*) {
    call Cancel(a);
  }
  call r := RemoveHead();
  call r := RemoveHead();
  assert length == 0;
}
