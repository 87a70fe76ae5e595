"""Outputs of a board: themes and formats."""

from mapkit.core.base import Frozen
from mapkit.drawing.theme.files import OWN
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.exchange.registry import FORMATS
from mapkit.kinds.rail.queries.question import Asked, question


class MakesAsked(Frozen):
    """Nothing more to say."""


class OfferedTheme(Frozen):
    """Theme with its colours."""

    name: str
    about: str


class OfferedFormat(Frozen):
    """A format, as `mapkit list formats` lists it."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    carries: str
    loses: str


class Makes(QueryResult):
    """Themes and formats; formats that cannot be loaded are left out."""

    themes: tuple[OfferedTheme, ...]
    formats: tuple[OfferedFormat, ...]


@question("makes", MakesAsked, Makes)
def makes(_ask: MakesAsked, _asked: Asked) -> Makes:
    """Return the outputs of a board."""
    formats = tuple(
        OfferedFormat(
            name=form.name, title=form.title, suffixes=tuple(form.suffixes), carries=form.carries, loses=form.loses
        )
        for form in FORMATS.list_all()[0]
    )
    own = OfferedTheme(name=OWN, about="the theme of the board")
    themes = (own, *(OfferedTheme(name=t.name, about=t.about) for t in THEMES.values()))
    return Makes(themes=themes, formats=formats)
