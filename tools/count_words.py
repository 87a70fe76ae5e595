"""Count the words of the documents by kind of page: `python tools/count_words.py`.

Words are what blanks separate, code blocks and tables included, as `wc -w` counts them. Written by hand are all pages
outside `docs/reference/`, and the templates in `tools/pages/` that generated pages are filled from.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
MARK: Final = "Written by `tools/make_docs.py`"
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "README": ("README.md",),
    "CONTRIBUTING": ("CONTRIBUTING.md",),
    "tutorials": ("docs/tutorials/*.md",),
    "how-to guides": ("docs/how-to/*.md",),
    "explanation": (
        "docs/explanation/*.md",
        "docs/architecture.md",
        "docs/classic-misprints.md",
        "docs/gallery.md",
        "docs/promises.md",
        "docs/README.md",
    ),
    "reference, texts of its templates": ("tools/pages/*.md",),
}
"""Kinds of pages that people write, and their files."""


def pages(patterns: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files of some patterns."""
    return (path for pattern in patterns for path in sorted(ROOT.glob(pattern)))


def words(path: Path) -> int:
    """Return how many words a file has."""
    return len(path.read_text(encoding="utf-8").split())


def is_generated(path: Path) -> bool:
    """Return whether a page has the mark of generated pages in its first lines."""
    return MARK in "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:4])


def counts() -> dict[str, int]:
    """Return the words of each kind of page that people write."""
    return {kind: sum(map(words, pages(patterns))) for kind, patterns in KINDS.items()}


def main() -> None:
    """Print the words of each kind of page."""
    by_hand = counts()
    for kind, number in by_hand.items():
        print(f"{number:7,}  {kind}")
    print(f"{sum(by_hand.values()):7,}  written by hand")
    print(f"{sum(map(words, pages(('docs/reference/*.md',)))):7,}  generated, in docs/reference/")


if __name__ == "__main__":
    main()
