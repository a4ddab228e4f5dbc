"""The setup page of the telephone, and its onboarding."""
