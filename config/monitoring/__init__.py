"""Probes, metrics, logs, error reports."""
