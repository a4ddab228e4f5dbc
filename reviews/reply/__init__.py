"""The reply: its editor, its checks and its way to the service."""
