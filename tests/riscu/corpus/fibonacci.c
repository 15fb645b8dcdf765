// expect: b1 with "6"
uint64_t fibonacci(uint64_t n) {
  if (n < 2)
    return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x >= '0')
    if (*x <= '6')
      if (fibonacci(*x - '0') == 8)
        return 8;
  return 0;
}
