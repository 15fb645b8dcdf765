// expect: b1
// The last comparison is missing.
uint64_t* values;

void order(uint64_t i, uint64_t j) {
  uint64_t kept;
  if (*(values + i) > *(values + j)) {
    kept = *(values + i);
    *(values + i) = *(values + j);
    *(values + j) = kept;
  }
}

uint64_t main() {
  values = malloc(3 * 8);
  read(0, values, 1);
  read(0, values + 1, 1);
  read(0, values + 2, 1);
  order(0, 1);
  order(1, 2);
  if (*values > *(values + 1))
    return 1;
  return 0;
}
