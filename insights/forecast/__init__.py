"""How many will come: expected covers of each service of the next 28 days, from bookings alone.

Arrays are laid out as `[lag, day]`: row `lag` holds what was known, or was forecast, on the morning
`lag` days before the day of its column. Nothing in a cell comes from a later moment than that; a
test feeds a false future and sees no change.
"""
