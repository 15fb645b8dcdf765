// expect: cannot fail
uint64_t main() {
  uint64_t* x;
  uint64_t* y;

  x = malloc(2);
  y = malloc(1);

  read(0, x, 2);

  // 12852 = "42"
  if (*x == 12852)
    if (*y == 2)
      return 1;

  return 0;
}
