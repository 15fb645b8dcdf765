// Maps whose values depend on the type of the key: records with fields of several types.
// verify: 3 verified, 1 error: assert 44
// reach: no bug
// reach --main Confused: bug at 44
type Field _;
type Record = <T>[Field T]T;
const unique age: Field int;
const unique married: Field bool;
const unique height: Field real;
const unique born: Field int;

procedure Birthday(r: Record) returns (s: Record)
  ensures s[age] == r[age] + 1;
  ensures s[married] == r[married] && s[height] == r[height];
{
  s := r[age := r[age] + 1];
}

procedure Wedding(r: Record) returns (s: Record)
  ensures s[married];
  ensures (forall<T> f: Field T :: {s[f]} f != married ==> s[f] == r[f]);
{
  s := r;
  s[married] := true;
}

procedure {:entrypoint} Main(r: Record)
{
  var s: Record;

  s := r[age := 30][height := 1.5];
  call s := Birthday(s);
  call s := Wedding(s);
  assert s[age] == 31;
  assert s[married] && s[height] == 1.5;
}

procedure Confused(r: Record, f: Field int)
{
  var s: Record;

  s := r[f := 1];
  assert s[f] == 1;
  assert s[born] == r[born];
}
