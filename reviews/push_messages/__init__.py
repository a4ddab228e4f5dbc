"""What people may get a push message of: low ratings, and replies sent back by moderation."""
