// expect: cannot fail
uint64_t factorial(uint64_t n) {
  if (n == 0)
    return 1;
  return n * factorial(n - 1);
}

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x < 12)
    return (7 / factorial(*x)) * 0;
  return 0;
}
