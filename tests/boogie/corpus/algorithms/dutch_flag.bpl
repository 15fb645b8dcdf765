// Dijkstra's flag: reds, whites and blues are sorted by swapping, in one pass.
// verify: 1 verified, 0 errors
// reach --recursion-bound 4: no bug within the recursion bound
type Colour = int;
const unique red, white, blue: Colour;
axiom red == 0 && white == 1 && blue == 2;

function {:inline} IsColour(c: Colour) returns (bool) { c == red || c == white || c == blue }

procedure {:entrypoint} Flag(a: [int]Colour, n: int) returns (b: [int]Colour, r: int, w: int)
  requires n >= 0;
  requires (forall i: int :: {a[i]} 0 <= i && i < n ==> IsColour(a[i]));
  ensures 0 <= r && r <= w && w <= n;
  ensures (forall i: int :: {b[i]} 0 <= i && i < r ==> b[i] == red);
  ensures (forall i: int :: {b[i]} r <= i && i < w ==> b[i] == white);
  ensures (forall i: int :: {b[i]} w <= i && i < n ==> b[i] == blue);
{
  var last: int;

  b, r, w, last := a, 0, 0, n;
  while (w < last)
    invariant 0 <= r && r <= w && w <= last && last <= n;
    invariant (forall i: int :: {b[i]} 0 <= i && i < r ==> b[i] == red);
    invariant (forall i: int :: {b[i]} r <= i && i < w ==> b[i] == white);
    invariant (forall i: int :: {b[i]} last <= i && i < n ==> b[i] == blue);
    invariant (forall i: int :: {b[i]} w <= i && i < last ==> IsColour(b[i]));
  {
    if (b[w] == red) {
      b := b[r := b[w]][w := b[r]];
      r, w := r + 1, w + 1;
    } else if (b[w] == white) {
      w := w + 1;
    } else {
      last := last - 1;
      b := b[w := b[last]][last := b[w]];
    }
  }
  assert w == last;
}
