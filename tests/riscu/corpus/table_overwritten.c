// expect: b1 with "3"
uint64_t main() {
  uint64_t* x;
  uint64_t* table;
  uint64_t i;
  x = malloc(8);
  table = malloc(6 * 8);
  i = 0;
  while (i < 6) {
    *(table + i) = 1;
    i = i + 1;
  }
  read(0, x, 1);
  if (*x >= '0')
    if (*x <= '5') {
      *(table + (*x - '0')) = 0;
      return 1 - *(table + 3);
    }
  return 0;
}
