// Function pointers: a table that the driver fills at its start, and a call through it.
// verify: 4 verified, 2 errors: assert 57, assert 70
// reach: no bug
type Routine;
const unique Open, Close, Read, none: Routine;
var table: [int]Routine;
var opens: int;
var reads: int;

procedure OpenRoutine()
  modifies opens;
  ensures opens == old(opens) + 1;
{
  opens := opens + 1;
}

procedure CloseRoutine()
  modifies opens;
  ensures opens == old(opens) - 1;
{
  opens := opens - 1;
}

procedure ReadRoutine()
  requires reads >= 0;
  modifies reads;
  ensures reads > old(reads);
{
  reads := reads + 1;
}

procedure DriverEntry()
  modifies table;
  ensures table[0] == Open && table[2] == Close && table[3] == Read;
{
  table := (lambda major: int :: none);
  table[0] := Open;
  table[2] := Close;
  table[3] := Read;
}

procedure CallDriver(major: int)
  requires reads >= 0;
  modifies opens, reads;
  ensures reads >= old(reads);
{
  var routine: Routine;

  routine := table[major];
  if (routine == Open) {
    call OpenRoutine();
  } else if (routine == Close) {
    call CloseRoutine();
  } else if (routine == Read) {
    call ReadRoutine();
  } else {
    assert routine == none;
  }
}

procedure {:entrypoint} Main(major: int)
  modifies table, opens, reads;
{
  opens, reads := 0, 0;
  call DriverEntry();
  call CallDriver(0);
  call CallDriver(major);
  assert reads >= 0;
  if (major == 2) {
    assert opens == 0;
  }
}
