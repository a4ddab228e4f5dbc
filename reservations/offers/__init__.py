"""The offers of a restaurant, and their days, times and party sizes."""
