"""Study page of a kind of board: sections with pictures and the tables of the terminal."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mapkit.drawing.embedded_fonts import font_rules
from mapkit.drawing.theme.theme import FONT
from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.playing.tables import StudyTable
from mapkit.version import __version__


class PlayedBoard(Protocol):
    """Board with what its page says of it; it may have credits."""

    @property
    def id(self) -> str:
        """Return its id."""

    @property
    def title(self) -> str:
        """Return its title."""


class StudySection(NamedTuple):
    """Section of a page.

    Attributes:
        title: Its title.
        tables: Its tables, below the picture.
        picture: An SVG.
        caption: What the picture shows.
    """

    title: str
    tables: Sequence[StudyTable] = ()
    picture: str = ""
    caption: str = ""


def page_style(*rules: str) -> str:
    """Return the style sheet of study pages, with further rules."""
    return "\n".join([font_rules(), read_page_part(__package__, "page.css"), f":root {{ --font: {FONT}; }}", *rules])


def render_study_page(
    board: PlayedBoard, facts: Sequence[str], sections: Sequence[StudySection], *, what: str = "play-test"
) -> str:
    """Render a study as the text of an HTML file; the same study gives the same text.

    Args:
        board: The board.
        facts: What was played and found, a sentence each; the first is the summary.
        sections: The parts of the page.
        what: What the page is of.
    """
    style = page_style()
    return render_html(
        __package__,
        "page.html.jinja",
        policy=content_security_policy(style, ""),
        style=style,
        title=f"{board.title or board.id}: {what}",
        facts=facts,
        sections=sections,
        credits=getattr(board, "credits", ()),
        version=__version__,
    )
