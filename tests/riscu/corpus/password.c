// expect: b1 with "password"
uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 8);
  if (*x == *"password")
    return 1;
  return 0;
}
