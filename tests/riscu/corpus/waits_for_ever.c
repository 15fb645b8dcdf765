// expect: cannot fail within 600 steps
uint64_t main() {
  uint64_t* x;
  uint64_t i;
  x = malloc(8);
  read(0, x, 1);
  i = 0;
  while (*x != 256)
    i = i + 1;
  return i / 0;
}
