// expect: cannot fail
uint64_t main(uint64_t argc, uint64_t* argv) {
  if (argc != 1)
    return 1;
  if (*(argv + 1) != 0)
    return 1;
  if (*((uint64_t*) *argv) == 0)
    return 1;
  return 0;
}
