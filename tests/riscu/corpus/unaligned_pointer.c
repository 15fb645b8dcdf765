// expect: b6
uint64_t main() {
  uint64_t* x;
  uint64_t* y;
  x = malloc(8);
  read(0, x, 1);
  if (*x < 16) {
    y = (uint64_t*) ((uint64_t) x + *x);
    return *y * 0;
  }
  return 0;
}
