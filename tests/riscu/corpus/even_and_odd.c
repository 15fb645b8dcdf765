// expect: b1
uint64_t odd(uint64_t n);

uint64_t even(uint64_t n) {
  if (n == 0)
    return 1;
  return odd(n - 1);
}

uint64_t odd(uint64_t n) {
  if (n == 0)
    return 0;
  return even(n - 1);
}

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x > 4)
    if (*x < 9)
      return odd(*x);
  return 0;
}
