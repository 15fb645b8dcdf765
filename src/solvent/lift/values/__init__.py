"""Values, one module per type: each says everything about its type."""
