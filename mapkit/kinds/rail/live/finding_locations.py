"""Where the things that findings name are on the page."""

from collections.abc import Mapping
from functools import cached_property

from mapkit.core.base import Point
from mapkit.core.findings import Finding
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.model.board import Piece, Segment

_MOST_PLACES = 12


class FindingLocations:
    """Where things are on the page.

    Args:
        live: The board.
    """

    def __init__(self, live: Compiled) -> None:
        self._live = live

    def hold(self, live: Compiled) -> bool:
        """Return whether everything is where it is on another board."""
        mine = self._live
        return (
            mine.frame is live.frame
            and mine.laid is live.laid
            and mine.board.cities is live.board.cities
            and mine.lines is live.lines
            and mine.document.places is live.document.places
        )

    def moved(self, live: Compiled) -> frozenset[str] | None:
        """Return the ids of all elements that may lie elsewhere on another board, or None if all may."""
        mine = self._live
        if mine.frame is not live.frame or mine.board.cities is not live.board.cities:
            return None
        was, now = mine.laid, live.laid
        ids = {key for key, milepost in now.by_id.items() if was.by_id.get(key) is not milepost}
        ids |= was.by_id.keys() - now.by_id.keys()
        for city in mine.board.cities:
            if city.milepost in ids:
                ids |= {city.id, city.region}
        for railroad in was.drawn.keys() | now.drawn.keys():
            tracks = [laid.drawn[railroad] for laid in (was, now) if railroad in laid.drawn]
            if tracks[0] is not tracks[-1] or len(tracks) == 1:
                ids.add(railroad)
                ids.update(*(track.by_id for track in tracks), (j.id for track in tracks for j in track.junctions))
        return frozenset(ids)

    @cached_property
    def _cities(self) -> Mapping[str, str]:
        return {city.id: city.milepost for city in self._live.board.cities}

    def _track(self, ident: str) -> Segment | Piece | None:
        return next((t.by_id[ident] for t in self._live.laid.drawn.values() if ident in t.by_id), None)

    @cached_property
    def _junctions(self) -> Mapping[str, Point]:
        return {j.id: (j.x, j.y) for j in self._live.board.junctions}

    @cached_property
    def _railroads(self) -> Mapping[str, Point]:
        return {key: track.middle for key, track in self._live.laid.drawn.items() if track.middle is not None}

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
        track = None if found is not None else self._track(ident)
        return track.path[len(track.path) // 2] if track is not None else found

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
