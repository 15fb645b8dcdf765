// Loops of gotos: the assertions and assumptions that their heads start with are invariants.
// verify: 2 verified, 2 errors: invariant 65 on entry, invariant 82
// reach: no bug
// reach --main Entry: bug at 65
procedure {:entrypoint} Single(n: int)
  requires 0 <= n && n < 3;
{
  var i: int;

  i := 0;
  goto head;
head:
  assert 0 <= i && i <= n;
  goto body, done;
body:
  assume i < n;
  i := i + 1;
  goto head;
done:
  assume i >= n;
  assert i == n;
}

procedure Nested(n: int, m: int)
  requires n >= 0 && m >= 0;
{
  var i, j, s: int;

entry:
  i, s := 0, 0;
  goto rows;
rows:
  assert 0 <= i && i <= n;
  assert s >= i;
  goto row, out;
row:
  assume i < n;
  j := 0;
  s := s + 1;
  goto columns;
columns:
  assume j >= 0;
  assert s > i && 0 <= i && i < n;
  goto column, next;
column:
  assume j < m;
  j, s := j + 1, s + 1;
  goto columns;
next:
  assume j >= m;
  i := i + 1;
  goto rows;
out:
  assume i >= n;
  assert s >= n;
  return;
}

procedure Entry(n: int)
{
  var i: int;

  i := n;
head:
  assert i >= 0;
  goto body, done;
body:
  assume i > 0;
  i := i - 1;
  goto head;
done:
  return;
}

procedure Kept(n: int)
  requires n > 0;
{
  var i: int;

  i := n;
head:
  assert i > 0;
  goto body, done;
body:
  assume i > 0;
  i := i - 1;
  goto head;
done:
  return;
}
