// Object-oriented code as a translator of bytecode leaves it: virtual calls test the dynamic type.
// verify: 4 verified, 1 error: assert 63
// reach: no bug
type Ref;
type Type;
const unique T$Circle, T$Square, T$Shape: Type;
const unique null: Ref;
function $TypeConstructor(o: Ref) returns (Type);
var $Alloc: [Ref]bool;
var F$Shape.size: [Ref]int;
var $Exception: Ref;

procedure {:inline_hint} Alloc(t: Type) returns (x: Ref)
  modifies $Alloc;
  ensures x != null && !old($Alloc)[x] && $Alloc == old($Alloc)[x := true];
  ensures $TypeConstructor(x) == t;
{
  assume $Alloc[x] == false && x != null && $TypeConstructor(x) == t;
  $Alloc[x] := true;
}

procedure Circle.Area($this: Ref) returns ($result: int)
  ensures $result == 3 * F$Shape.size[$this] * F$Shape.size[$this];
{
  $result := 3 * F$Shape.size[$this] * F$Shape.size[$this];
}

procedure Square.Area($this: Ref) returns ($result: int)
  ensures $result == F$Shape.size[$this] * F$Shape.size[$this];
{
  $result := F$Shape.size[$this] * F$Shape.size[$this];
}

procedure Shape.Area($this: Ref) returns ($result: int)
  modifies $Exception;
  ensures $TypeConstructor($this) == T$Square ==>
    $result == F$Shape.size[$this] * F$Shape.size[$this];
{
  $result := 0;
  if ($TypeConstructor($this) == T$Circle) {
    call $result := Circle.Area($this);
  } else if ($TypeConstructor($this) == T$Square) {
    call $result := Square.Area($this);
  } else {
    $Exception := $this;
  }
}

procedure {:entrypoint} Main()
  modifies $Alloc, F$Shape.size, $Exception;
{
  var circle, square: Ref;
  var area, sum: int;

  $Exception := null;
  call circle := Alloc(T$Circle);
  F$Shape.size[circle] := 2;
  call square := Alloc(T$Square);
  F$Shape.size[square] := 5;
  call sum := Shape.Area(square);
  assert sum == 25;
  call area := Shape.Area(circle);
  assert area == 12 && $Exception == null;
}
