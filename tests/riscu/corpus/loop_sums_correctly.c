// expect: cannot fail
// 1 + 2 + ... + n is n * (n + 1) / 2 for every byte n below 40.
uint64_t main() {
  uint64_t* x;
  uint64_t n;
  uint64_t i;
  uint64_t sum;
  x = malloc(8);
  read(0, x, 1);
  n = *x;
  if (n >= 40)
    return 0;
  i = 0;
  sum = 0;
  while (i < n) {
    i = i + 1;
    sum = sum + i;
  }
  if (sum != n * (n + 1) / 2)
    return 1;
  return 0;
}
