"""Functions as people write them every day, each with a claim that brute force has checked."""
