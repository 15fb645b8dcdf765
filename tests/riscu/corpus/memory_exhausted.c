// expect: b4
// A pointer that malloc could not give is used.
uint64_t main() {
  uint64_t* x;
  uint64_t* y;
  x = malloc(8);
  read(0, x, 8);
  if (*x < 8589934592)
    if (*x > 4294967296) {
      y = malloc(*x);
      *y = 1;
    }
  return 0;
}
