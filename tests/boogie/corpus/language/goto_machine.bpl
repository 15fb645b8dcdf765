// A vending machine as a graph of labels: coins, a choice, and change that is given back.
// verify: 0 verified, 1 error: assert 38
// reach --recursion-bound 5: no bug within the recursion bound
var money, stock, bank: int;

procedure {:entrypoint} Machine()
  requires money == 0 && stock == 2 && bank == 0;
  modifies money, stock, bank;
{
idle:
  goto coin, choose, refund, off;

coin:
  assume money < 3;
  money := money + 1;
  goto idle;

choose:
  assume money >= 2;
  goto sold, empty;

sold:
  assume stock > 0;
  stock := stock - 1;
  bank := bank + 2;
  money := money - 2;
  goto idle;

empty:
  assume stock == 0;
  goto refund;

refund:
  money := 0;
  goto idle;

off:
  assert bank == 2 * (2 - stock);
  return;
}
