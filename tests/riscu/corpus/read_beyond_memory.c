// expect: b8
uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x > 3)
    read(0, (uint64_t*) (4294967288 + *x / 4 * 8), 1);
  return 0;
}
