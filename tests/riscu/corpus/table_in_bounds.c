// expect: cannot fail
uint64_t main() {
  uint64_t* x;
  uint64_t* table;
  uint64_t i;
  x = malloc(8);
  table = malloc(10 * 8);
  i = 0;
  while (i < 10) {
    *(table + i) = i * i;
    i = i + 1;
  }
  read(0, x, 1);
  if (*x < '0')
    return 0;
  if (*x > '9')
    return 0;
  i = *x - '0';
  if (*(table + i) != i * i)
    return 1;
  return 0;
}
