"""What Python's texts and bytes do, on code points that may be symbolic; lengths are known."""
