// The search tree whose search turns the wrong way in one place.
// verify: 2 verified, 1 error: assert 50
// reach: bug at 50
var left, right, key: [int]int;
var nodes: int;

procedure Insert(t: int, k: int) returns (r: int)
  modifies left, right, key, nodes;
{
  var child: int;

  r := t;
  if (t == 0) {
    nodes := nodes + 1;
    r := nodes;
    left[r], right[r], key[r] := 0, 0, k;
  } else if (k < key[t]) {
    call child := Insert(left[t], k);
    left[t] := child;
  } else if (key[t] < k) {
    call child := Insert(right[t], k);
    right[t] := child;
  }
}

procedure Contains(t: int, k: int) returns (found: bool)
{
  found := false;
  if (t != 0) {
    if (k < key[t]) {
      call found := Contains(left[t], k);
    } else if (key[t] < k) {
      call found := Contains(left[t], k);
    } else {
      found := true;
    }
  }
}

procedure {:entrypoint} Main(a: int, b: int, c: int)
  requires nodes == 0;
  modifies left, right, key, nodes;
{
  var root: int, found: bool;

  call root := Insert(0, a);
  call root := Insert(root, b);
  call root := Insert(root, c);
  call found := Contains(root, b);
  assert found;
}
