"""Pages of the room: the inbox, the reply, the triage."""
