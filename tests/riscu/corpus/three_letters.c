// expect: b2 with "bug"
uint64_t state = 0;

void step(uint64_t letter) {
  if (state == 0) {
    if (letter == 'b')
      state = 1;
    else
      state = 4;
  } else if (state == 1) {
    if (letter == 'u')
      state = 2;
    else
      state = 4;
  } else if (state == 2) {
    if (letter == 'g')
      state = 3;
    else
      state = 4;
  }
}

uint64_t main() {
  uint64_t* x;
  uint64_t i;
  x = malloc(8);
  i = 0;
  while (i < 3) {
    read(0, x, 1);
    step(*x);
    i = i + 1;
  }
  return 12 / (state - 3) * 0;
}
