"""SMT-LIB 2: terms written as text and read back."""
