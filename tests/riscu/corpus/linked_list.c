// expect: b1
// A list of two nodes: a value, then the next node.
uint64_t* node(uint64_t value, uint64_t* next) {
  uint64_t* made;
  made = malloc(2 * 8);
  *made = value;
  *(made + 1) = (uint64_t) next;
  return made;
}

uint64_t total(uint64_t* list) {
  if (list == (uint64_t*) 0)
    return 0;
  return *list + total((uint64_t*) *(list + 1));
}

uint64_t main() {
  uint64_t* x;
  uint64_t* list;
  x = malloc(8);
  read(0, x, 1);
  list = node(*x, (uint64_t*) 0);
  read(0, x, 1);
  if (*x > 100)
    list = node(*x, list);
  if (total(list) == 300)
    return 1;
  return 0;
}
