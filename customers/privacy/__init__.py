"""Export, erasure and retention of guests (docs/privacy.md)."""
