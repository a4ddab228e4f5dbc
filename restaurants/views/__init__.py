"""The setup pages about places, people and the audit trail: one file per page family."""
