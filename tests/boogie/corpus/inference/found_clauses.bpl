// verify /inferModifies: 3 verified, 0 errors
// verify /doModSetAnalysis: 3 verified, 0 errors
// reach: no bug
// No procedure says what it changes: `tick` changes the clock, and so does who calls it.
var clock: int;
var name: int;
procedure tick() ensures clock == old(clock) + 1; { clock := clock + 1; }
procedure twice() ensures clock == old(clock) + 2; { call tick(); call tick(); }
procedure {:entrypoint} main()
{
  var before: int;
  before := name;
  call twice();
  assert name == before;
}
