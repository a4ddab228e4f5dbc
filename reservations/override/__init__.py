"""Online booking closed or opened for some slots of a day."""
