"""Finds the line of a key in a TOML file, which the standard library's parser does not report."""

import re
from dataclasses import dataclass, field

HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\- ]+?)\s*\]")
KEY = re.compile(r"\s*([\w-]+)\s*=")

# Names of tables and positions within arrays of tables: ("group", 0, "restaurant", 2)
Path = tuple[str | int, ...]


@dataclass
class Lines:
    """The lines of headers and keys, by path."""

    of: dict[Path, int] = field(default_factory=dict)

    def find(self, path: Path) -> int:
        """The line of a key, or of the nearest header above one that is missing."""
        while path and path not in self.of:
            path = path[:-1]
        return self.of.get(path, 1)


def find_lines(text: str) -> Lines:
    lines = Lines()
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := HEADER.match(line):
            table = path_of(header, counts=counts)
            lines.of.setdefault(table, number)
        elif key := KEY.match(line):
            lines.of.setdefault((*table, key[1]), number)
    return lines


def path_of(header: "re.Match[str]", *, counts: dict[Path, int]) -> Path:
    """Return the table that a header opens; double brackets open the next one of an array."""
    path: Path = ()
    names = header[2].replace(" ", "").split(".")
    for name in names:
        path = (*path, name)
        if path in counts and name is not names[-1]:
            path = (*path, counts[path])
    if header[1] == "[[":
        counts[path] = counts.get(path, -1) + 1
        return (*path, counts[path])
    return path
