"""The prep sheet: what the services of a day need, by quarter of an hour, beside their targets."""
