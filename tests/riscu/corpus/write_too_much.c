// expect: b8
uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 8);
  if (*x > 100)
    write(1, x, *x);
  return 0;
}
