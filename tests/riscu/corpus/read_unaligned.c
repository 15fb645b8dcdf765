// expect: b9 with "q"
uint64_t main() {
  uint64_t* x;
  x = malloc(16);
  read(0, x, 1);
  if (*x == 'q')
    read(0, (uint64_t*) ((uint64_t) x + 4), 1);
  return 0;
}
