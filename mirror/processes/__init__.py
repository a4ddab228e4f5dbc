"""Workers, beat and clocks: heartbeats and the watchdog."""
