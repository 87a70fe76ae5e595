"""Where the things that findings name are on the page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from mapkit.core.base import Point
from mapkit.core.findings import Finding
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.cities import board_cities
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.network import railroads_with_track
from mapkit.kinds.rail.compiler.on_page import choose_frame, draw_track, lay_out, mileposts_by_id
from mapkit.kinds.rail.compiler.places import find_places
from mapkit.kinds.rail.compiler.railroads import DrawnTrack, FoundLine
from mapkit.kinds.rail.model.board import Milepost
from mapkit.kinds.rail.tables import Place

_MOST_PLACES = 12


@dataclass(frozen=True)
class FindingLocations:
    """Places of all that findings may name, on the page or to be projected to it."""

    frame: Frame
    mileposts: Mapping[str, Milepost]
    cities: Mapping[str, str]
    junctions: Mapping[str, Point]
    railroads: Mapping[str, Point]
    regions: Mapping[str, tuple[str, ...]]
    tracks: Mapping[str, DrawnTrack]
    lines: Mapping[str, FoundLine]
    places: Mapping[str, Place]

    @classmethod
    def read(cls, db: Reader) -> Self:
        """Return the places of a document."""
        return cls(
            choose_frame(db),
            mileposts_by_id(db),
            _mileposts_of_cities(db),
            _junctions(db),
            _railroads(db),
            _mileposts_of_regions(db),
            lay_out(db).drawn,
            find_places(db).lines,
            db.table("places"),
        )

    def of_element(self, ident: str) -> Point | None:
        """Return the position of an element: milepost, city, segment, junction, railroad or region."""
        found = self._milepost(self.cities.get(ident, "")) or self._milepost(ident) or self.junctions.get(ident)
        return found or self.railroads.get(ident) or self._region(ident) or self._track(ident)

    def _milepost(self, ident: str) -> Point | None:
        milepost = self.mileposts.get(ident)
        return None if milepost is None else (milepost.x, milepost.y)

    def _region(self, ident: str) -> Point | None:
        found = (self._milepost(milepost) for milepost in self.regions.get(ident, ()))
        return next((point for point in found if point is not None), None)

    def _track(self, ident: str) -> Point | None:
        """Return the middle of a segment or piece; most have the railroad in their id."""
        own = self.tracks.get(ident.partition("--")[0])
        if own is None or (found := own.by_id.get(ident)) is None:
            found = next((t.by_id[ident] for t in self.tracks.values() if ident in t.by_id), None)
        return None if found is None else found.path[len(found.path) // 2]

    def of_finding(self, finding: Finding) -> tuple[Point, ...]:
        """Return the places of a finding, the one that it names first."""
        out: list[Point] = []
        place = finding.place
        if place.lon is not None and place.lat is not None:
            out += self.frame.to_page([(place.lon, place.lat)])
        for ident in finding.elements:
            spot = self.of_element(ident)
            if spot is not None and spot not in out and len(out) < _MOST_PLACES:
                out.append(spot)
        return tuple(out)

    def of_row(self, table: str, key: str) -> tuple[Point, ...]:
        """Return the place of a row of the document, or none."""
        line = self.lines.get(key) if table == "lines" else None
        if line is not None:
            return self.frame.to_page([(s.lon, s.lat) for s in line.stops[:1]])
        place = self.places.get(key) if table == "places" else None
        if place is not None:
            return self.frame.to_page([(place.lon, place.lat)])
        spot = self.of_element(key)
        return () if spot is None else (spot,)


@tracked
def _mileposts_of_cities(db: Reader) -> dict[str, str]:
    return {city.id: city.milepost for city in board_cities(db)}


@tracked
def _mileposts_of_regions(db: Reader) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for city in board_cities(db):
        out[city.region] = (*out.get(city.region, ()), city.milepost)
    return out


@tracked
def _junctions(db: Reader) -> dict[str, Point]:
    return {j.id: (j.x, j.y) for j in lay_out(db).junctions}


@tracked
def _railroads(db: Reader) -> dict[str, Point]:
    middles = {railroad: draw_track(db, railroad).middle for railroad in railroads_with_track(db)}
    return {railroad: middle for railroad, middle in middles.items() if middle is not None}
