"""Requests, addresses and templates."""
