// expect: b1
uint64_t main() {
  uint64_t* x;
  uint64_t n;
  uint64_t i;
  uint64_t j;
  uint64_t count;
  x = malloc(8);
  read(0, x, 1);
  n = *x;
  count = 0;
  i = 0;
  while (i < n) {
    j = 0;
    while (j < i) {
      j = j + 1;
      count = count + 1;
    }
    i = i + 1;
  }
  if (count == 6)
    return 4;
  return 0;
}
