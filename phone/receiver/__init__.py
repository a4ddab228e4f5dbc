"""The receiver of a telephone system's events."""
