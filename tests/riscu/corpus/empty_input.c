// expect: b3 with ""
uint64_t main() {
  uint64_t* x;
  x = malloc(16);
  return 7 % read(0, x, 12) * 0;
}
