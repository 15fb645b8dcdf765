// The flag again; a blue that was swapped to the front is stepped over, whatever came for it.
// verify: 0 verified, 1 error: assert 25
// reach: bug at 25
procedure {:entrypoint} Flag(start: [int]int) returns (b: [int]int)
  requires 0 <= start[0] && start[0] <= 2;
  requires 0 <= start[1] && start[1] <= 2;
  requires 0 <= start[2] && start[2] <= 2;
{
  var r, w, last: int;

  b, r, w, last := start, 0, 0, 3;
  while (w < last)
    free invariant 0 <= r && r <= w;
    invariant w >= 0;
  {
    if (b[w] == 0) {
      b := b[r := b[w]][w := b[r]];
      r := r + 1;
    } else if (b[w] == 2) {
      last := last - 1;
      b := b[w := b[last]][last := b[w]];
    }
    w := w + 1;
  }
  assert b[0] <= b[1] && b[1] <= b[2];
}
