"""The page of the audit trail."""
