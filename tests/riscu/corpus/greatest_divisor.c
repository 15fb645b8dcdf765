// expect: cannot fail
uint64_t divisor(uint64_t a, uint64_t b) {
  if (b == 0)
    return a;
  return divisor(b, a % b);
}

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x < 8)
    if (*x > 0)
      return (6 % divisor(6, *x)) * 0;
  return 0;
}
