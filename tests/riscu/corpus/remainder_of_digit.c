// expect: b3 with "0"
uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x >= '0')
    if (*x <= '9')
      return (100 % (*x - '0')) * 0;
  return 0;
}
