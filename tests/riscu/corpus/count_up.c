// expect: b2
// The loop runs as often as eight bytes say; at 18 the divisor is zero.
uint64_t main() {
  uint64_t* x;
  uint64_t n;
  uint64_t i;
  x = malloc(8);
  read(0, x, 8);
  n = *x;
  i = 0;
  while (i < n)
    i = i + 1;
  if (i == 18)
    return 1 / (i - 18);
  return 0;
}
