// expect: b1
uint64_t main() {
  uint64_t* x;
  uint64_t hash;
  uint64_t i;
  x = malloc(8);
  hash = 5;
  i = 0;
  while (i < 3) {
    read(0, x, 1);
    hash = (hash * 33 + *x) % 1009;
    i = i + 1;
  }
  if (hash == 777)
    return 7;
  return 0;
}
