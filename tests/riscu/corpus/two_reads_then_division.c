// expect: b2 with "42"
uint64_t main() {
  uint64_t* x;
  uint64_t* y;

  x = malloc(1);
  read(0, x, 1);

  y = malloc(1);
  read(0, y, 1);

  if (*x == '4')
    if (*y == '2')
      *y = *x/0;

  return 0;
}
