"""What is on sale at a restaurant, and on which days, at which times and for how many."""
