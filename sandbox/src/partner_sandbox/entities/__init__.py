"""What is stored, and how it is spelt in an answer."""
