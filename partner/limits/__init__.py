"""Rate limit, circuit breaker, priorities."""
