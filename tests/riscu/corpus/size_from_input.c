// expect: b2
// How much is read depends on what was read.
uint64_t main() {
  uint64_t* size;
  uint64_t* x;
  size = malloc(8);
  x = malloc(8);
  read(0, size, 1);
  if (*size <= 3) {
    read(0, x, *size);
    if (*x == 'a' + 256 * 'b')
      return 1 / (*size - 2) * 0;
  }
  return 0;
}
