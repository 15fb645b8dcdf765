// expect: b4 with "x"
uint64_t* nothing = (uint64_t*) 0;

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x == 'x')
    *nothing = 1;
  return 0;
}
