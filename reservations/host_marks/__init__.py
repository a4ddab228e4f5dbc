"""Marks that a team sets on a booking: called, table ready. Ours alone, never sent."""
