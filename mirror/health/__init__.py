"""How the mirror is: freshness, the health page, alerts."""
