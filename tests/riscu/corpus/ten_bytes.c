// expect: b1
// A read of ten bytes fills one word and a part of another.
uint64_t main() {
  uint64_t* x;
  x = malloc(16);
  *(x + 1) = 65536;
  if (read(0, x, 10) != 10)
    return 9;
  if (*x == *"ten byte")
    if (*(x + 1) == 65536 + 's' + 256 * '!')
      return 3;
  return 0;
}
