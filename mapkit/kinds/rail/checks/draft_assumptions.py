"""Assumptions of a draft, reported as long as its author leaves them in `board.toml`."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check

EXTENSION = "draft"
"""Extension of `board.toml` with the options and assumptions of the draft."""


def _find_draft_assumption(c: CheckedRails) -> Iterator[Found]:
    """Assumptions of `mapkit draft`: how it found cities, lines, odds and prices.

    Delete a sentence from `assumed` in `[extensions.draft]` of `board.toml` when it holds no more.
    """
    draft_options = c.board.extensions.get(EXTENSION)
    sentences = draft_options.get("assumed") if isinstance(draft_options, dict) else None
    for sentence in sentences if isinstance(sentences, list) else ():
        if isinstance(sentence, str):
            yield Found(f"drafted: {sentence}", (sentence,), Place(file="board.toml"))


CHECKS = (make_listed_check("G09", _find_draft_assumption),)
