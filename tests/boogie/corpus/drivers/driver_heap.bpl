// What a translator of C makes of a small driver: pointers are integers, fields are maps.
// verify: 1 verified, 3 errors: assert 27, assert 34, assert 78
// reach: no bug
var alloc: int;
var Mem_T.INT4: [int]int;
var Mem_T.PDEVICE_OBJECT: [int]int;
var {:scalar} irql: int;
var error: bool;

function Base(int) returns (int);
function Size(int) returns (int);
function {:inline true} DeviceExtension__DEVICE_OBJECT(x: int) returns (int) { x + 40 }
function {:inline true} Flags__EXTENSION(x: int) returns (int) { x + 8 }
function {:inline true} PLUS(a: int, size: int, b: int) returns (int) { a + size * b }

procedure malloc(size: int) returns (new: int);
  requires size >= 0;
  modifies alloc;
  free ensures new == old(alloc);
  free ensures alloc > new + size;
  free ensures Base(new) == new && Size(new) == size;

procedure {:model} KeRaiseIrql(level: int) returns ($old.irql: int)
  modifies irql;
{
  $old.irql := irql;
  assert level >= irql;
  irql := level;
}

procedure KeLowerIrql(level: int)
  modifies irql;
{
  assert level <= irql;
  irql := level;
}

procedure DispatchRead(DeviceObject: int, Irp: int) returns ($result: int)
  requires DeviceObject > 0;
  modifies irql, Mem_T.INT4, error;
{
  var $extension, $saved: int;

start:
  assume {:sourcefile "read.c"} {:sourceline 12} true;
  $extension := Mem_T.PDEVICE_OBJECT[DeviceExtension__DEVICE_OBJECT(DeviceObject)];
  call $saved := KeRaiseIrql(2);
  goto busy, idle;

busy:
  assume {:partition} Mem_T.INT4[Flags__EXTENSION($extension)] != 0;
  $result := -1;
  goto out;

idle:
  assume {:partition} Mem_T.INT4[Flags__EXTENSION($extension)] == 0;
  Mem_T.INT4[Flags__EXTENSION($extension)] := 1;
  Mem_T.INT4 := Mem_T.INT4[PLUS(Irp, 4, 6) := 0];
  $result := 0;
  goto out;

out:
  call KeLowerIrql($saved);
  error := irql != $saved;
  return;
}

procedure {:entrypoint} main()
  modifies alloc, irql, Mem_T.INT4, Mem_T.PDEVICE_OBJECT, error;
{
  var device, irp, status: int;

  assume alloc > 0 && irql == 0;
  call device := malloc(100);
  call irp := malloc(64);
  Mem_T.PDEVICE_OBJECT[DeviceExtension__DEVICE_OBJECT(device)] := device + 50;
  call status := DispatchRead(device, irp);
  assert !error;
}
