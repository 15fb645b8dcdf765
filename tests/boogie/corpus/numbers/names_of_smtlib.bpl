// verify: 1 verified, 0 errors
// reach: no bug
// A remainder has the sign of what is divided by; the other functions are those of SMT-LIB.
function {:builtin "rem"} rem(int, int): int;
function {:builtin "abs"} magnitude(int): int;
function {:builtin "to_int"} floor(real): int;
function {:bvbuiltin "(_ sign_extend 8)"} wide(bv8): bv16;
function {:bvbuiltin "bv2nat"} number(bv8): int;
procedure {:entrypoint} main()
{
  assert rem(7, 2) == 1 && rem(7, -2) == -1 && rem(-7, 2) == 1;
  assert magnitude(-3) == 3 && floor(-3.5) == -4;
  assert wide(255bv8) == 65535bv16 && wide(127bv8) == 127bv16;
  assert number(200bv8) == 200;
}
