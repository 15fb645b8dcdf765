// expect: b2
// The divisor is zero if the third byte is the sum of the others.
uint64_t next() {
  uint64_t* buffer;
  buffer = malloc(8);
  read(0, buffer, 1);
  return *buffer;
}

uint64_t main() {
  uint64_t a;
  uint64_t b;
  uint64_t c;
  a = next();
  b = next();
  c = next();
  if (a > 20)
    if (b > 30)
      return 100 / (c - a - b) * 0;
  return 0;
}
