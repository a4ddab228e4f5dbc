"""Access tokens: requested, shared by all processes, renewed."""
