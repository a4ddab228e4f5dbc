"""On the books and expected: the forecasts of the copy's own restaurants, stored and shown."""
