"""The control interface for scripts, under /_sandbox/, and the page for people."""
