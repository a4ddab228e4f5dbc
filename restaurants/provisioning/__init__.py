"""Set-up from a TOML file."""
