"""Bytes to and from the service: transport, connection pool, SSRF guard, protocol."""
