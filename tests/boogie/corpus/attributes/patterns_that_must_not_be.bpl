// verify: 1 verified, 0 errors
// reach: no bug
// `g` may be the pattern, and it occurs; `f` must not, whatever the quantifier says of it.
function {:never_pattern true} f(int): int;
function g(int): int;
axiom (forall n: int :: {:nopats f(n)} f(n) > 0 && g(n) > f(n));
procedure {:entrypoint} main(n: int) { assert g(n) > 1 && f(n) > 0; }
