// Division and remainder of integers: the remainder is never negative, whatever the signs.
// verify: 3 verified, 0 errors
// reach --main Digits: no bug
procedure Facts(a: int, b: int)
  requires b != 0;
{
  assert a == b * (a div b) + a mod b;
  assert 0 <= a mod b;
  assert a mod b < (if b < 0 then -b else b);
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert (-7) div 2 == -4 && (-7) mod 2 == 1;
  assert 7 div -2 == -3 && (-7) div -2 == 4;
}

procedure Digits(n: int) returns (s: int)
  requires 0 <= n && n < 1000;
{
  s := n mod 10 + n div 10 mod 10 + n div 100;
  assert 0 <= s && s <= 27;
  assert (n - s) mod 9 == 0;
}

procedure Leap(year: int) returns (leap: bool)
  requires year > 0;
  ensures leap ==> year mod 4 == 0;
  ensures year mod 400 == 0 ==> leap;
{
  leap := year mod 4 == 0 && (year mod 100 != 0 || year mod 400 == 0);
}
