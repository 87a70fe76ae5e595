"""Searching the gazetteer and the board's own places."""

from functools import cache
from typing import Any

from pydantic import Field

from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.sources.gazetteer import GazetteerPlace, load_gazetteer
from mapkit.sources.names import fold


class SearchPlaces(Frozen):
    """A part of a name, and how many places are wanted at most."""

    text: str = Field(max_length=200)
    most: int = Field(default=20, ge=1, le=200)


@cache
def _folded(countries: tuple[str, ...]) -> tuple[tuple[str, GazetteerPlace], ...]:
    return tuple((fold(place.full_name), place) for place in load_gazetteer(countries).places())


@question("search-places", SearchPlaces)
def search_places(ask: SearchPlaces, asked: Asked) -> dict[str, Any]:
    """Return `places`, `{name, lon, lat, source, population}`: the board's own first, then the gazetteer's largest.

    Case, accents and punctuation do not matter; names that begin with the text come before names that hold it.
    """
    wanted = fold(ask.text)
    if not wanted:
        return {"places": []}
    own = [
        {"name": name, "lon": row.lon, "lat": row.lat, "source": "board", "population": None}
        for name, row in sorted(asked.document.places.items())
        if wanted in fold(name)
    ]
    named = {entry["name"] for entry in own}
    countries = tuple(asked.live.settings.config.gazetteer.countries)
    found = [(key, place) for key, place in _folded(countries) if wanted in key and place.full_name not in named]
    found.sort(key=lambda item: (not item[0].startswith(wanted), -item[1].population, item[1]))
    near = [
        {"name": p.full_name, "lon": p.lon, "lat": p.lat, "source": "gazetteer", "population": p.population}
        for _, p in found[: ask.most]
    ]
    return {"places": [*own, *near][: ask.most]}
