"""The operator's guide explains sentences that the program really says."""

import re
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
GUIDE = (ROOT / "docs" / "operating.md").read_text()


def sentences() -> list[str]:
    table = GUIDE.split("## Troubleshooting by message")[1]
    rows = re.findall(r"^\| (.+?) \|", table, flags=re.M)
    return [row for row in rows if row != "message"]


@cache
def source() -> str:
    """Code and templates as one text, with adjacent strings joined."""
    modules = (path for path in ROOT.glob("*/**/*.py") if not {".venv", "tests"} & {*path.parts})
    files = [*modules, *ROOT.glob("templates/**/*.html")]
    text = "".join(path.read_text() for path in files)
    return re.sub(r"%\(\w+\)[sd]|\{.*?\}", "…", re.sub(r'"\s*f?"', "", text))


def test_it_works():
    assert len(sentences()) > 15


@pytest.mark.parametrize("sentence", sentences())
def test_the_program_says_so(sentence: str):
    pieces = filter(None, (part.strip() for part in sentence.split("…")))
    unknown = [piece for piece in pieces if piece not in source()]
    assert unknown == [], "docs/operating.md explains what no module and no template says"
