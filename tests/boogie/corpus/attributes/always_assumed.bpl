// verify: 2 verified, 1 error: assert 12
// reach: no bug
// A free precondition is assumed at calls only with the attribute.  In the search what is free is
// assumed everywhere.
procedure plain(n: int);
  free requires n > 0;
procedure marked(n: int);
  free requires {:always_assume} n > 0;
procedure with_plain(n: int)
{
  call plain(n);
  assert n > 0;
}
procedure with_marked(n: int) { call marked(n); assert n > 0; }
procedure {:entrypoint} promise(n: int) returns (m: int)
  free ensures {:always_assume} m > 0;
  ensures m >= 0;
{ m := n; call with_marked(n); call with_plain(n); }
