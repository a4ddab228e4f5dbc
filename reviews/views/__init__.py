"""Views: the inbox, the reply, the triage."""
