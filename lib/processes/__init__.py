"""Threads, cores and garbage of a process."""
