// Classes are constants in a partial order; casts are checked against it.
// verify: 2 verified, 2 errors: assert 32, assert 39
// reach --main Up: no bug
type Class;
type ref;
const unique Object: Class extends complete;
const unique Shape: Class extends unique Object;
const unique Circle: Class extends unique Shape;
const unique Square: Class extends unique Shape;
const unique Unit: Class extends Circle complete;
function TypeOf(o: ref) returns (Class);

procedure Up(o: ref)
  requires TypeOf(o) <: Circle;
{
  assert TypeOf(o) <: Shape;
  assert TypeOf(o) <: Object;
  assert Unit <: Object;
}

procedure Apart(o: ref)
{
  assert !(Circle <: Unit);
  assert !(Object <: Shape);
  assert !(Circle <: Square) && !(Square <: Circle);
  assert TypeOf(o) <: Shape && Shape <: TypeOf(o) ==> TypeOf(o) == Shape;
}

procedure Down(o: ref)
  requires TypeOf(o) <: Shape;
{
  assert TypeOf(o) <: Circle;
}

procedure Sibling(o: ref)
  requires TypeOf(o) <: Square;
{
  assert TypeOf(o) <: Object;
  assert TypeOf(o) == Square;
}
