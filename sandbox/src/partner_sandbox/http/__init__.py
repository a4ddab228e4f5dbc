"""HTTP as the service speaks it: server, gateway, limits, errors."""
