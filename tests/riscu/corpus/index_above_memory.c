// expect: b5
uint64_t main() {
  uint64_t* x;
  uint64_t* table;
  x = malloc(8);
  table = malloc(80);
  read(0, x, 8);
  if (*x > 1000)
    if (*x < 1152921504606846976)
      return *(table + *x) * 0;
  return 0;
}
