"""The guest list: filters, columns, pages and its file."""
