"""The briefing of a team before the service."""
