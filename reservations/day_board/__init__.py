"""Today's boards: arrivals, stays, list, pulse; their file."""
