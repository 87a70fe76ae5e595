"""Sizes of paper, and unprintable margins in millimetres."""

from collections.abc import Mapping
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.plurals import join_some

POSTER: Final = "poster"
"""Not a size: one page as large as the board."""
CARD: Final = "card"
"""Not a size: a page as large as each card."""

PAPERS: Final[Mapping[str, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "tabloid": (279.4, 431.8),
}
"""Width and height in millimetres, upright."""

MARGIN: Final = 5.0
"""Default unprintable margin at each edge, in millimetres."""


def paper_size(name: str) -> tuple[float, float]:
    """Return width and height of a paper in millimetres, upright.

    Raises:
        ChoiceError: There is no such paper, or it is as large as what is printed.
    """
    size = PAPERS.get(name.lower())
    if name.lower() in (POSTER, CARD):
        raise ChoiceError(f"paper {name!r} is not for sheets and cards; theirs are {', '.join(PAPERS)}")
    if size is None:
        known_papers = (*PAPERS, POSTER, CARD)
        raise ChoiceError(
            f"paper {name!r} is unknown{did_you_mean(name, known_papers)}; papers are {join_some(known_papers)}"
        )
    return size
