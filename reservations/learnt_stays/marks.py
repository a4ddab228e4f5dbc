"""Marks of arrivals that tell a stay."""

HERE = ("PARTIALLY_ARRIVED", "ARRIVED", "SEATED", "BILL")
GONE = ("LEFT",)
FROM_EARLY, TO_LATE = -90, 300  # an arrival noticed outside of this range was recorded late
