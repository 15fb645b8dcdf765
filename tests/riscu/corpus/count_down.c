// expect: b1
// The loop runs as often as the first byte says.
uint64_t main() {
  uint64_t* x;
  uint64_t n;
  uint64_t sum;
  x = malloc(8);
  read(0, x, 1);
  n = *x;
  sum = 0;
  while (n > 0) {
    sum = sum + 3;
    n = n - 1;
  }
  if (sum == 45)
    return 1;
  return 0;
}
