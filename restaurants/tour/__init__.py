"""The tour of the demo, which plays with the sandbox."""
