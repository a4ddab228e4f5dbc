"""Events: written down with their cause, sent until the receiver has them."""
