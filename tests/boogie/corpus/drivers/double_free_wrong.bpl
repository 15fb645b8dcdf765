// Buffers of a device extension: an error path frees one that the clean-up frees again.
// verify: 4 verified, 1 error: assert 30
// reach: bug at 30
const unique FREE, USED: int;
axiom FREE == 0 && USED == 1;
var typestate: [int]int;
var next: int;
var Mem_extension.input: [int]int;
var Mem_extension.output: [int]int;

procedure ExAllocatePool(size: int) returns (p: int)
  requires size > 0 && next > 0;
  modifies next, typestate;
  ensures p == 0 || (p == old(next) && next == old(next) + size);
  ensures p == 0 ==> next == old(next);
  ensures next > 0;
{
  if (*) {
    p := 0;
    return;
  }
  p := next;
  next := next + size;
  typestate[p] := USED;
}

procedure ExFreePool(p: int)
  modifies typestate;
{
  assert typestate[p] == USED;
  typestate[p] := FREE;
}

procedure Setup(extension: int) returns (ok: bool)
  requires next > 0;
  modifies next, typestate, Mem_extension.input, Mem_extension.output;
{
  var p, q: int;

  ok := false;
  call p := ExAllocatePool(16);
  if (p == 0) { return; }
  Mem_extension.input[extension] := p;
  call q := ExAllocatePool(32);
  if (q == 0) {
    // The field still points to the buffer.
    call ExFreePool(p);
    return;
  }
  Mem_extension.output[extension] := q;
  ok := true;
}

procedure Cleanup(extension: int)
  modifies typestate;
{
  if (Mem_extension.input[extension] != 0) {
    call ExFreePool(Mem_extension.input[extension]);
  }
  if (Mem_extension.output[extension] != 0) {
    call ExFreePool(Mem_extension.output[extension]);
  }
}

procedure {:entrypoint} Main(extension: int)
  modifies next, typestate, Mem_extension.input, Mem_extension.output;
{
  var ok: bool;

  next := 4096;
  Mem_extension.input[extension] := 0;
  Mem_extension.output[extension] := 0;
  call ok := Setup(extension);
  call Cleanup(extension);
}
