// The dispatch routine marks a read as pending, and goes on to complete it all the same.
// verify: 4 verified, 1 error: ensures 35
// reach: bug at 48
const STATUS_SUCCESS, STATUS_PENDING, STATUS_INVALID: int;
axiom STATUS_SUCCESS == 0 && STATUS_PENDING == 259 && STATUS_INVALID == -1073741811;
const unique IRP_MJ_CREATE, IRP_MJ_READ, IRP_MJ_CLOSE: int;
axiom IRP_MJ_CREATE == 0 && IRP_MJ_CLOSE == 2 && IRP_MJ_READ == 3;

var completed: [int]bool;
var pending: [int]bool;
var major: [int]int;
var status: [int]int;

procedure IoCompleteRequest(irp: int)
  requires !completed[irp];
  modifies completed;
  ensures completed == old(completed)[irp := true];
{
  assert !completed[irp];
  completed[irp] := true;
}

procedure IoMarkIrpPending(irp: int)
  requires !completed[irp];
  modifies pending;
  ensures pending == old(pending)[irp := true];
{
  pending[irp] := true;
}

procedure Dispatch(irp: int) returns (result: int)
  requires !completed[irp] && !pending[irp];
  modifies completed, pending, status;
  ensures result == STATUS_PENDING <==> pending[irp];
  ensures completed[irp] <==> !pending[irp];
  ensures completed[irp] ==> status[irp] == result;
{
  if (major[irp] == IRP_MJ_CREATE || major[irp] == IRP_MJ_CLOSE) {
    result := STATUS_SUCCESS;
  } else if (major[irp] == IRP_MJ_READ) {
    call IoMarkIrpPending(irp);
    result := STATUS_PENDING;
  } else {
    result := STATUS_INVALID;
  }
  status[irp] := result;
  call IoCompleteRequest(irp);
}

procedure Dpc(irp: int)
  requires pending[irp] && !completed[irp];
  modifies completed, pending, status;
  ensures completed[irp] && !pending[irp];
{
  pending[irp] := false;
  status[irp] := STATUS_SUCCESS;
  call IoCompleteRequest(irp);
}

procedure {:entrypoint} Main(irp: int)
  requires !completed[irp] && !pending[irp];
  modifies completed, pending, status, major;
{
  var result: int;

  havoc major;
  call result := Dispatch(irp);
  if (result == STATUS_PENDING) {
    call Dpc(irp);
  }
  assert completed[irp];
}
