// expect: b1 with "3"
void leave(uint64_t code) {
  exit(code);
}

uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  if (*x == '3')
    leave(*x - '0');
  exit(0);
}
