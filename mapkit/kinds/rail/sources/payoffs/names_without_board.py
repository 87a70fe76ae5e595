"""Cities of a chart without a board: each name in the file is a city, unless the user decides otherwise."""

from collections.abc import Iterable, Mapping

from mapkit.core.names import fold, slug
from mapkit.formats.cells.table import MAX_TEXT
from mapkit.kinds.rail.sources.city_names import Match

_MAX_SUFFIX = 9999


class OwnNames:
    """Registry that gives each name an id; names that differ in more than case and accents get different ids.

    Args:
        accept: Typed names -> the intended name in the file, or empty to leave the city out.
    """

    def __init__(self, accept: Mapping[str, str] | None = None) -> None:
        self.accept = dict(accept or {})
        self._meant = {fold(typed): name for typed, name in self.accept.items()}
        self._ids: dict[str, str] = {}

    def find(self, typed: str) -> Match | str:
        """Return the city, or a phrase why there is none; an empty city is to be left out."""
        accepted_name = self._meant.get(fold(typed))
        if accepted_name == "":
            return Match("", "accepted")
        city_name = typed if accepted_name is None else accepted_name
        name_fold = fold(city_name)
        if not name_fold or len(city_name) > MAX_TEXT:
            return f"{city_name[:MAX_TEXT]!r} is not a name for a city"
        return Match(
            self._ids.get(name_fold) or self._add_city(name_fold, city_name),
            "own" if accepted_name is None else "accepted",
        )

    @staticmethod
    def cut(typed: str) -> Match | None:  # noqa: ARG004 - same signature as for a board
        """Return the city of a truncated name; always None without a board."""
        return None

    def key(self, typed: str) -> str:
        """Return a key that is equal for all spellings of a city."""
        return fold(self._meant.get(fold(typed)) or typed)

    def unused(self, typed: Iterable[str]) -> list[str]:
        """Return the accepted names that are not among those typed."""
        used_folds = {fold(name) for name in typed}
        return [name for name in self.accept if fold(name) not in used_folds]

    def _add_city(self, key: str, name: str) -> str:
        city_id, taken_ids = slug(name) or f"city-{len(self._ids) + 1}", set(self._ids.values())
        if city_id in taken_ids:
            city_id = next(
                candidate_id for k in range(2, _MAX_SUFFIX) if (candidate_id := f"{city_id}-{k}") not in taken_ids
            )
        self._ids[key] = city_id
        return city_id
