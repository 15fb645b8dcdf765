// Unique constants as an enumeration: a traffic light that an axiom closes, and one it leaves open.
// verify: 1 verified, 2 errors: assert 34, assert 40
// reach: no bug
// reach --main Open: bug at 40
type Light;
const unique red, yellow, green: Light;
function Closed(l: Light) returns (bool);
axiom (forall l: Light :: {Closed(l)} Closed(l) && (l == red || l == yellow || l == green));
type Mode;
const unique day, night: Mode;

function next(l: Light) returns (Light)
{
  if l == red then green else if l == green then yellow else red
}

procedure Cycle(l: Light where Closed(l))
{
  assert next(next(next(l))) == l;
  assert next(l) != l;
}

procedure {:entrypoint} Drive(start: Light)
{
  var l: Light, steps: int;

  l, steps := start, 0;
  while (l != red && steps < 3)
    invariant steps >= 0;
  {
    l := next(l);
    steps := steps + 1;
  }
  assert steps <= 3;
}

procedure Open(m: Mode)
{
  assert day != night;
  assert m == day || m == night;
}
