"""Small languages, each a client of the public interface."""
