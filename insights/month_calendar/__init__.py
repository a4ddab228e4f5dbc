"""The calendar of a month: covers of each day."""
