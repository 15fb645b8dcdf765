// verify: 2 verified, 3 errors: assert 38, assert 43, assert 48
// reach --main Sets: no bug
// reach --main Lost: bug at 38
// Functions on whole maps may have type parameters: they are those of the types with which they are used,
// also below {:inline} functions. A set without some elements need not have those again (38), two names may
// differ (43), and 3 is never at most 2 (48); the others are laws of sets.
type Name;
function {:builtin "MapConst"} Same<T, U>(value: U): [T]U;
function {:builtin "MapAnd"} And<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapOr"} Or<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapNot"} Not<T>(a: [T]bool): [T]bool;
function {:builtin "MapImp"} Implies<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapIte"} Either<T, U>(c: [T]bool, a: [T]U, b: [T]U): [T]U;
function {:builtin "MapLe"} UpTo<T>(a: [T]int, b: [T]int): [T]bool;
function {:inline} Without<T>(a: [T]bool, b: [T]bool): [T]bool { And(a, Not(b)) }
function {:inline} IsPart<T>(a: [T]bool, b: [T]bool): bool { Implies(a, b) == Same(true) }
function {:inline} Only<T>(one: T): [T]bool { Same(false)[one := true] }

procedure Sets(a: [int]bool, b: [int]bool)
{
  assert Or(a, Same(true))[3];
  assert Or(a, Same(false)) == a;
  assert IsPart(Without(a, b), a);
}

procedure Names(n: Name, c: [Name]bool)
{
  assert Only(n)[n];
  assert c[n] ==> IsPart(Only(n), c);
  assert Either(c, Same(1), Same(0))[n] == (if c[n] then 1 else 0);
  assert Either(c, Same(n), Same(n))[n] == n;
  assert Without(Only(n), Only(n)) == Same(false);
}

// --- what does not hold ---
procedure Lost(a: [int]bool, b: [int]bool)
{
  assert IsPart(a, Without(a, b));
}

procedure Different(n: Name, m: Name)
{
  assert Only(n)[m];
}

procedure Order(n: Name)
{
  assert UpTo(Same(3), Same(2))[n];
}
