"""Where the things that findings name are on the page."""

from collections.abc import Mapping
from functools import cached_property

from mapkit.editor.live.board import LiveBoard
from mapkit.model.base import Point
from mapkit.model.board import Piece, Segment
from mapkit.model.findings import Finding

_MOST_PLACES = 12


class Spots:
    """Where things are on the page.

    Args:
        live: The board.
    """

    def __init__(self, live: LiveBoard) -> None:
        self._live = live

    def hold(self, live: LiveBoard) -> bool:
        """Return whether everything is where it is on another board."""
        mine = self._live
        return (
            mine.frame is live.frame
            and mine.laid is live.laid
            and mine.board.cities is live.board.cities
            and mine.lines is live.lines
            and mine.document.places is live.document.places
        )

    @cached_property
    def _cities(self) -> Mapping[str, str]:
        return {city.id: city.milepost for city in self._live.board.cities}

    @cached_property
    def _track(self) -> Mapping[str, Segment | Piece]:
        board = self._live.board
        out: dict[str, Segment | Piece] = {piece.id: piece for piece in board.pieces if piece.path}
        out.update((segment.id, segment) for segment in board.segments if segment.path)
        return out

    @cached_property
    def _junctions(self) -> Mapping[str, Point]:
        return {j.id: (j.x, j.y) for j in self._live.board.junctions}

    @cached_property
    def _railroads(self) -> Mapping[str, Point]:
        out: dict[str, Point] = {}
        for segment in self._live.board.segments:
            if segment.path:
                out.setdefault(segment.railroad, segment.path[len(segment.path) // 2])
        return out

    @cached_property
    def _regions(self) -> Mapping[str, Point]:
        out: dict[str, Point] = {}
        for city in self._live.board.cities:
            at = self._milepost(city.milepost)
            if at is not None:
                out.setdefault(city.region, at)
        return out

    def of_element(self, ident: str) -> Point | None:
        """Return where an element is, whatever it is: milepost, city, segment, junction, railroad, region."""
        found = self._milepost(self._cities.get(ident, "")) or self._milepost(ident) or self._junctions.get(ident)
        found = found or self._railroads.get(ident) or self._regions.get(ident)
        if found is not None or ident not in self._track:
            return found
        path = self._track[ident].path
        return path[len(path) // 2]

    def _milepost(self, ident: str) -> Point | None:
        milepost = self._live.laid.by_id.get(ident)
        return None if milepost is None else (milepost.x, milepost.y)

    def of_finding(self, finding: Finding) -> tuple[Point, ...]:
        """Return the places of a finding, the one that it names first."""
        out: list[Point] = []
        place = finding.place
        if place.lon is not None and place.lat is not None:
            out += self._live.frame.to_page([(place.lon, place.lat)])
        for ident in finding.elements:
            spot = self.of_element(ident)
            if spot is not None and spot not in out and len(out) < _MOST_PLACES:
                out.append(spot)
        return tuple(out)

    def of_row(self, table: str, key: str) -> tuple[Point, ...]:
        """Return the place of a row of the document, or none."""
        if table == "lines" and key in self._live.lines:
            stops = self._live.lines[key].stops
            return self._live.frame.to_page([(s.lon, s.lat) for s in stops[:1]])
        place = self._live.document.places.get(key) if table == "places" else None
        if place is not None:
            return self._live.frame.to_page([(place.lon, place.lat)])
        spot = self.of_element(key)
        return () if spot is None else (spot,)
