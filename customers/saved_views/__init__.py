"""Views of the guest list that people keep under a name."""
