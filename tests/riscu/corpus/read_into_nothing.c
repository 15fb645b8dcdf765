// expect: b7 with "r"
uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x == 'r')
    read(0, (uint64_t*) 0, 1);
  return 0;
}
