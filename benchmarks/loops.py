"""Programs for the methods of "From Program to Logic": diamonds, and loops from textbooks."""

from __future__ import annotations


def diamond(branches: int) -> str:
    """So many branches one after the other, each independent of the others."""
    inputs = ", ".join(f"b{number}: bool" for number in range(branches))
    body = "".join(
        f"  if (b{number}) {{ x := x + 1; }} else {{ x := x - 1; }}\n" for number in range(branches)
    )
    return (
        f"procedure main({inputs}) {{\n  var x: int;\n  x := 0;\n{body}"
        f"  assert x <= {branches};\n}}\n"
    )


# Loops without invariants; no assertion can fail, whatever the inputs are.
TEXTBOOK = {
    "counting": """
procedure main(n: int) {
  var i: int;
  assume n >= 0;
  i := 0;
  while (i < n) { i := i + 1; }
  assert i == n;
}
""",
    "two counters": """
procedure main(n: int) {
  var i: int; var j: int;
  i := 0; j := 0;
  while (i < n) { i := i + 1; j := j + 2; }
  assert j == 2 * i;
}
""",
    "i down, j up": """
procedure main(start: int) {
  var i: int; var j: int;
  assume start >= 0;
  i := start; j := 0;
  while (i > 0) { j := j + 1; i := i - 1; }
  assert j == start;
}
""",
    "gcd": """
procedure main(a: int, b: int) {
  var x: int; var y: int;
  assume a > 0 && b > 0;
  x := a; y := b;
  while (x != y) { if (x > y) { x := x - y; } else { y := y - x; } }
  assert x > 0 && x <= a && x <= b;
}
""",
    "array bounds": """
procedure main(a: [int]int, size: int, x: int) returns (found: int) {
  var i: int;
  assume size > 0;
  i := 0; found := -1;
  while (i < size) {
    assert 0 <= i && i < size;
    if (a[i] == x) { found := i; }
    i := i + 1;
  }
  assert found == -1 || (0 <= found && found < size);
}
""",
    "locks": """
var lock: bool;
var got: int;
procedure acquire() modifies lock; { assert !lock; lock := true; }
procedure release() modifies lock; { assert lock; lock := false; }
procedure {:entrypoint} main() modifies lock, got; {
  var before: int;
  lock := false;
  havoc got;
  before := got - 1;
  while (got != before) {
    call acquire();
    before := got;
    if (*) { call release(); got := got + 1; }
  }
  call release();
}
""",
    "nested": """
procedure main(n: int) {
  var i: int; var j: int;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < i) { assert 0 <= j && j < n; j := j + 1; }
    assert j == i;
    i := i + 1;
  }
}
""",
    "parity": """
procedure main() {
  var x: int; var even: bool;
  x := 0; even := true;
  while (*) { x := x + 1; even := !even; }
  assert even ==> x mod 2 == 0;
}
""",
    "binary search": """
procedure main(a: [int]int, size: int, key: int) returns (at: int) {
  var low: int; var high: int; var mid: int;
  assume size >= 0;
  low := 0; high := size; at := -1;
  while (low < high && at == -1) {
    mid := low + (high - low) div 2;
    assert 0 <= mid && mid < size;
    if (a[mid] < key) { low := mid + 1; }
    else { if (a[mid] > key) { high := mid; } else { at := mid; } }
  }
}
""",
    "ring buffer": """
procedure main(size: int) {
  var head: int; var count: int;
  assume size > 0;
  head := 0; count := 0;
  while (*) {
    if (*) { if (count < size) { count := count + 1; } }
    else {
      if (count > 0) {
        count := count - 1;
        head := head + 1;
        if (head == size) { head := 0; }
      }
    }
    assert 0 <= head && head < size && 0 <= count && count <= size;
  }
}
""",
    "recursion": """
procedure sum(n: int) returns (r: int) {
  r := 0;
  if (n > 0) { call r := sum(n - 1); r := r + 2; }
}
procedure {:entrypoint} main(n: int) {
  var r: int;
  assume n >= 0;
  call r := sum(n);
  assert r >= n;
}
""",
}
