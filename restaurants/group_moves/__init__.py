"""Moving a group to another connection."""
