"""Words and sentences of invented people, menus, notes and reviews."""
