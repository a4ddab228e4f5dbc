"""Faster and safer ways to SQLite and PostgreSQL."""
