"""A cluster on one machine: every node on an address of its own, and each killed in turn."""
