"""What every request passes: limits, compression, the access log."""
