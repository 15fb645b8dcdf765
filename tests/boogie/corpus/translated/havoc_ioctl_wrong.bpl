// A control request of a driver, with gotos as its translator writes them: the buffer's length is
// checked on one path, and used on both.
// verify: 2 verified, 1 error: assert 17
// reach: bug at 17
var Mem_T.UINT4: [int]int;
var Mem_T.PVOID: [int]int;
var Res_DEV_EXTENSION: [int]int;

function {:inline} Code__IRP(x: int) returns (int) { x + 4 }
function {:inline} InputLength__IRP(x: int) returns (int) { x + 8 }
function {:inline} Buffer__IRP(x: int) returns (int) { x + 12 }
function {:inline} State__EXT(x: int) returns (int) { x + 16 }
function BufferSize(p: int) returns (int);

procedure ReadULONG(buffer: int) returns (value: int)
{
  assert {:sourcefile "ioctl.c"} {:sourceline 77} BufferSize(buffer) >= 4;
  value := Mem_T.UINT4[buffer];
}

procedure DeviceControl(Extension: int, Irp: int) returns ($result: int)
  requires BufferSize(Mem_T.PVOID[Buffer__IRP(Irp)]) == Mem_T.UINT4[InputLength__IRP(Irp)];
  modifies Mem_T.UINT4;
{
  var $code, $buffer, $value: int;

start:
  $code := Mem_T.UINT4[Code__IRP(Irp)];
  $buffer := Mem_T.PVOID[Buffer__IRP(Irp)];
  goto label_set, label_get, label_other;

label_set:
  assume $code == 2228224;
  goto label_short, label_long;

label_short:
  assume Mem_T.UINT4[InputLength__IRP(Irp)] < 4;
  $result := -1073741789;
  goto exit;

label_long:
  assume !(Mem_T.UINT4[InputLength__IRP(Irp)] < 4);
  call $value := ReadULONG($buffer);
  Mem_T.UINT4[State__EXT(Extension)] := $value;
  $result := 0;
  goto exit;

label_get:
  assume $code == 2228228;
  call $value := ReadULONG($buffer);
  $result := 0;
  goto exit;

label_other:
  assume $code != 2228224 && $code != 2228228;
  $result := -1073741808;
  goto exit;

exit:
  return;
}

procedure {:entrypoint} main(Extension: int, Irp: int)
  modifies Mem_T.UINT4, Mem_T.PVOID;
{
  var status, buffer: int;

  havoc Mem_T.PVOID;
  buffer := Mem_T.PVOID[Buffer__IRP(Irp)];
  assume BufferSize(buffer) >= 0;
  Mem_T.UINT4[InputLength__IRP(Irp)] := BufferSize(buffer);
  call status := DeviceControl(Extension, Irp);
}
