"""The cities of a chart without a board: each name that the file has is a city, unless the user says otherwise."""

from collections.abc import Iterable, Mapping

from mapkit.core.names import fold, slug
from mapkit.formats.cells.table import MAX_TEXT
from mapkit.kinds.rail.sources.city_names import Match

_MOST = 9999


class OwnNames:
    """Gives each name an id of its own; two names that differ in more than case and accents keep two ids.

    Args:
        accept: Typed names -> the name in the file that is meant, or empty to leave the city out.
    """

    def __init__(self, accept: Mapping[str, str] | None = None) -> None:
        self.accept = dict(accept or {})
        self._meant = {fold(typed): name for typed, name in self.accept.items()}
        self._ids: dict[str, str] = {}

    def find(self, typed: str) -> Match | str:
        """Return the city, or in words why there is none; an empty city is one to leave out."""
        meant = self._meant.get(fold(typed))
        if meant == "":
            return Match("", "accepted")
        name = typed if meant is None else meant
        key = fold(name)
        if not key or len(name) > MAX_TEXT:
            return f"{name[:MAX_TEXT]!r} is not a name for a city"
        return Match(self._ids.get(key) or self._new(key, name), "own" if meant is None else "accepted")

    @staticmethod
    def cut(typed: str) -> Match | None:  # noqa: ARG004 - as for the names of a board
        """Return the city of a name that is cut short; without a board there is none."""
        return None

    def key(self, typed: str) -> str:
        """Return what is the same for all spellings of a city."""
        return fold(self._meant.get(fold(typed)) or typed)

    def unused(self, typed: Iterable[str]) -> list[str]:
        """Return the accepted names that are not among those typed."""
        used = {fold(name) for name in typed}
        return [name for name in self.accept if fold(name) not in used]

    def _new(self, key: str, name: str) -> str:
        ident, taken = slug(name) or f"city-{len(self._ids) + 1}", set(self._ids.values())
        if ident in taken:
            ident = next(i for k in range(2, _MOST) if (i := f"{ident}-{k}") not in taken)
        self._ids[key] = ident
        return ident
