// The vending machine that forgets to take the money when the last can is sold.
// verify: 0 verified, 1 error: assert 39
// reach: no bug within the recursion bound
// reach --recursion-bound 8: bug at 39
var money, stock, bank: int;

procedure {:entrypoint} Machine()
  requires money == 0 && stock == 2 && bank == 0;
  modifies money, stock, bank;
{
  var coins: int;

  coins := 0;
idle:
  goto coin, choose, off;

coin:
  assume money < 3;
  money, coins := money + 1, coins + 1;
  goto idle;

choose:
  assume money >= 2 && stock > 0;
  stock := stock - 1;
  bank := bank + 2;
  goto more, last;

more:
  assume stock > 0;
  money := money - 2;
  assert money >= 0;
  goto idle;

last:
  assume stock == 0;
  goto idle;

off:
  assert bank + money == coins;
}
