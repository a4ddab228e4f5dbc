"""Calls as people see them: the log, the caller, the look-up."""
