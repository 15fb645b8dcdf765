// verify /contractInfer /inlineDepth:2: 3 verified, 0 errors; 1 of 1 inferred: larger
// verify /contractInfer /inlineDepth:1: 3 verified, 0 errors; 0 of 1 inferred: 
// reach: no bug
// That the result is larger follows from the body of `one` only, which is two calls below.
const {:existential true} larger: bool;
procedure one(x: int) returns (y: int) { y := x + 1; }
procedure two(x: int) returns (y: int) { call y := one(x); }
procedure {:entrypoint} three(x: int) returns (y: int)
  ensures larger ==> y > x;
{ call y := two(x); }
