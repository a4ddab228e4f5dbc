"""Constants inlined into SQL, so that a partial index can be used.

SQLite uses such an index if the query shows that it reads no other rows. It cannot
see that from an `IN` with parameters, and then reads the whole table.
"""

from django.db.models.expressions import RawSQL


def inline(*words: str) -> list[RawSQL]:
    """For `state__in`: the words in the order of the index's condition."""
    if not all(word.isidentifier() for word in words):
        raise ValueError("Only words of our own are written into a question.")
    return [RawSQL(f"'{word}'", ()) for word in words]  # noqa: S611  # checked above
