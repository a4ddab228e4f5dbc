"""What a change shows: the picker, the permissions, the intents in words."""
