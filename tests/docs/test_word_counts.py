"""Documents keep within their limits of words, and what programs write is marked and in one folder."""

import re
import sys

from conftest import REPOSITORY

sys.path.append(str(REPOSITORY / "tools"))

import count_words

BY_HAND = 46_000
SCREEN = 900


def test_what_people_write_keeps_within_its_limit() -> None:
    assert sum(count_words.counts().values()) <= BY_HAND


def test_the_readme_is_read_in_one_screen() -> None:
    assert count_words.words(REPOSITORY / "README.md") <= SCREEN


def test_every_document_is_of_one_kind() -> None:
    """A page is generated and lies in docs/reference/, or is written by hand and counted once."""
    docs = set((REPOSITORY / "docs").rglob("*.md"))
    counted = [path for patterns in count_words.KINDS.values() for path in count_words.pages(patterns)]
    assert len(counted) == len(set(counted))
    reference = {path for path in docs if count_words.is_generated(path)}
    assert reference == set((REPOSITORY / "docs" / "reference").glob("*.md"))
    assert docs - reference == {path for path in counted if path.is_relative_to(REPOSITORY / "docs")}


def test_every_document_is_listed() -> None:
    """The page of all documents links to each of them."""
    docs = REPOSITORY / "docs"
    links = re.findall(r"\]\(([^)#]+\.md)", (docs / "README.md").read_text(encoding="utf-8"))
    listed = {(docs / link).resolve() for link in links}
    assert {path for path in docs.rglob("*.md") if path.name != "README.md"} <= listed
