// expect: b2 with "!!"
// How many exclamation marks there are before the input ends; two are one too many.
uint64_t main() {
  uint64_t* x;
  uint64_t count;
  x = malloc(8);
  count = 0;
  while (read(0, x, 1) == 1) {
    if (*x != '!')
      return 0;
    count = count + 1;
    if (count > 2)
      return 0;
  }
  return 6 / (count - 2) * 0;
}
