"""The compiled core beside the one in Python."""
