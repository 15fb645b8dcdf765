// A postcondition and a precondition that do not hold, where nothing else fails.
// verify: 3 verified, 2 errors: ensures 11, call 29 requires 18
// reach: bug at 15
// reach --main Spends: bug at 29
// reach --main Saves: no bug
// Take goes below zero if there is too little; Spends has 5, and asks for 6; Saves asks for 5 of 5.
var purse: int;

procedure Take(n: int)
  modifies purse;
  ensures purse >= 0;
{
  if (n > 0) {
    purse := purse - n; }
}

procedure TakeSome(n: int)
  requires n <= purse;
  modifies purse;
  ensures purse == old(purse) - n;
{
  purse := purse - n;
}

procedure Spends()
  modifies purse;
{
  purse := 5;
  call TakeSome(6);
}

procedure Saves()
  modifies purse;
{
  purse := 5;
  call TakeSome(5);
  assert purse == 0;
}

procedure {:entrypoint} Main()
  modifies purse;
{
  purse := 5;
  call Take(7);
}
