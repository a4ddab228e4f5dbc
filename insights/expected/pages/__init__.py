"""The pages of what is expected: the coming days, and how wrong it was."""
