"""How long parties stay: learnt from marks of arrivals, by service, weekday and size."""
