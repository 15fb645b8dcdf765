// verify: 1 verified, 1 error: assert 43
// reach --main Truth: no bug
// Functions of Z3 on whole maps are what they are element by element; so only the last assertion, which
// forgets one of two summands, does not hold.
function {:builtin "MapConst"} Same(int): [int]int;
function {:builtin "MapConst"} SameAt(int): [int, bool]int;
function {:builtin "MapNot"} Not([int]bool): [int]bool;
function {:builtin "MapAnd"} And([int]bool, [int]bool): [int]bool;
function {:builtin "MapOr"} Or([int]bool, [int]bool): [int]bool;
function {:builtin "MapImp"} Implies([int]bool, [int]bool): [int]bool;
function {:builtin "MapIff"} Iff([int]bool, [int]bool): [int]bool;
function {:builtin "MapIte"} Either([int]bool, [int]int, [int]int): [int]int;
function {:builtin "MapEq"} Equal([int]int, [int]int): [int]bool;
function {:builtin "MapAdd"} Plus([int]int, [int]int): [int]int;
function {:builtin "MapSub"} Minus([int]int, [int]int): [int]int;
function {:builtin "MapMul"} Times([int]int, [int]int): [int]int;
function {:builtin "MapGt"} Above([int]int, [int]int): [int]bool;
function {:builtin "MapLe"} UpTo([int]int, [int]int): [int]bool;

procedure Truth(a: [int]bool, b: [int]bool, i: int)
{
  assert Not(a)[i] == !a[i];
  assert And(a, b)[i] == (a[i] && b[i]);
  assert Or(a, b)[i] == (a[i] || b[i]);
  assert Implies(a, b)[i] == (a[i] ==> b[i]);
  assert Iff(a, b)[i] == (a[i] <==> b[i]);
  assert Not(And(a, b))[i] == Or(Not(a), Not(b))[i];
}

procedure Numbers(a: [int]bool, f: [int]int, g: [int]int, i: int)
{
  assert Same(3)[i] == 3;
  assert SameAt(4)[i, a[i]] == 4;
  assert Same(3) == Same(3)[i := 3];
  assert Either(a, f, g)[i] == (if a[i] then f[i] else g[i]);
  assert Equal(f, g)[i] <==> f[i] == g[i];
  assert Plus(f, g)[i] == f[i] + g[i];
  assert Minus(f, g)[i] == f[i] - g[i];
  assert Times(f, g)[i] == f[i] * g[i];
  assert Above(f, g)[i] != UpTo(f, g)[i];
  assert Plus(f, g)[i] == Plus(g, f)[i];
  assert Minus(Plus(f, g), g)[i] == f[i];
  assert Plus(f, g)[i] == f[i];
}
