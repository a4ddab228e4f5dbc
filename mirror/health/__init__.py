"""State of the mirror: freshness, the health page, alerts."""
