"""Pins: mileposts with a known place before lines are joined, and the lines that may stop at them.

A pin is a city, a milepost of the station lists, or a drawn point. A drawn point with the name of a city or milepost
stands for it: lines are joined at the drawn place, and the milepost keeps its own place. Several points of one name
are one milepost, at which the railroads of all of them stop. Twins that share a milepost may be drawn at two places;
lines to either lead to it.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold, slug, without_state
from mapkit.geography.gazetteer import division_codes_of
from mapkit.kinds.rail.model.network import NetworkMilepost, Origin, TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint
from mapkit.kinds.rail.trace.source import Source

_MAX_SAME_MI = 0.001
_FAR_TOLERANCES = 10.0  # snapping distances: two points of one name further apart are hardly one place


@dataclass(frozen=True)
class Pin:
    """Milepost, the point where lines are joined to it (degrees), and their railroads; none: all that pass.

    `name` is its name in the drawing: that of the milepost, or of one of its cities. A `generated` pin is a second
    place of its milepost, for lines that end a little beyond it.
    """

    milepost: NetworkMilepost
    lon: float
    lat: float
    name: str
    railroads: tuple[str, ...] = ()
    drawn: bool = False
    generated: bool = False


@dataclass(frozen=True)
class Pins:
    """All pins, those of existing mileposts first, and notes on suspicious ones."""

    pins: tuple[Pin, ...]
    notes: tuple[TraceNote, ...]


def gather_pins(source: Source, known: Sequence[NetworkMilepost]) -> Pins:
    """Collect the pins of a source with points in degrees.

    Args:
        source: Its cities and drawn points.
        known: Mileposts of cities and station lists.

    Raises:
        SourceError: A name fits several mileposts, points of one name lie far apart, or points of different names at
            the same place.
    """
    pin_collector = _PinCollector(source, known)
    for point in source.pinned:
        pin_collector.add(point)
    return Pins(tuple(pin_collector.pins), tuple(pin_collector.notes))


class _PinCollector:
    def __init__(self, source: Source, known: Sequence[NetworkMilepost]) -> None:
        self._far_mi = _FAR_TOLERANCES * source.config.tracing.snap_mi
        self.pins = [Pin(m, m.lon, m.lat, m.name) for m in known]
        self.notes: list[TraceNote] = []
        self._pins_by_name: defaultdict[str, set[int]] = defaultdict(set)
        self._pin_by_place: dict[tuple[int, int], int] = {}
        state_codes = division_codes_of((milepost.name for milepost in known), source.config.gazetteer.countries)
        for number, milepost in enumerate(known):
            self._pin_by_place[_round_place(milepost.lon, milepost.lat)] = number
            for name in (milepost.name, without_state(milepost.name, state_codes)):
                self._pins_by_name[fold(name)].add(number)
        number_by_name = {m.name: number for number, m in enumerate(known)}
        self._cities: defaultdict[int, set[str]] = defaultdict(set)
        for city in source.cities.values():
            if city.milepost_name in number_by_name:
                number = number_by_name[city.milepost_name]
                self._pins_by_name[fold(city.name)].add(number)
                self._cities[number].add(fold(city.name))
        self._pin_of_twin: dict[tuple[int, str], int] = {}
        self._spot_counts: Counter[str] = Counter()

    def add(self, point: PinnedPoint) -> None:
        number = self._find_pin(point)
        if number is None:
            self._append_pin(point)
            return
        pin = self.pins[number]
        distance_mi = line_miles(((pin.lon, pin.lat), (point.x, point.y)))
        if point.generated and distance_mi > _MAX_SAME_MI:
            self.pins.append(Pin(pin.milepost, point.x, point.y, pin.name, point.railroads, drawn=True, generated=True))
            return
        if not pin.drawn:
            if distance_mi > self._far_mi:
                self.notes.append(_note_off_place(point, pin, distance_mi))
            self.pins[number] = replace(
                pin, lon=point.x, lat=point.y, name=point.name or pin.name, railroads=point.railroads, drawn=True
            )
        elif self._is_other_twin(number, point):
            self._add_twin(number, point)
        elif distance_mi > self._far_mi:
            raise SourceError(
                f"{point.feature}: a second milepost {point.name!r}, {distance_mi:.1f} miles from "
                f"{pin.milepost.origin.where}; rename one, such as with its state"
            )
        else:
            is_for_all = not pin.railroads or not point.railroads
            pin_railroads = () if is_for_all else tuple(sorted({*pin.railroads, *point.railroads}))
            self.pins[number] = replace(pin, railroads=pin_railroads)

    def _is_other_twin(self, number: int, point: PinnedPoint) -> bool:
        """Return whether a point is a city at a milepost that was drawn under the name of its twin."""
        folded_names = {fold(self.pins[number].name), fold(point.name)}
        return len(folded_names) > 1 and folded_names <= self._cities[number]

    def _add_twin(self, number: int, point: PinnedPoint) -> None:
        twin_key = (number, fold(point.name))
        twin_number = self._pin_of_twin.setdefault(twin_key, len(self.pins))
        twin_pin = Pin(self.pins[number].milepost, point.x, point.y, point.name, point.railroads, drawn=True)
        if twin_number == len(self.pins):
            self.pins.append(twin_pin)
        else:
            owners = {*self.pins[twin_number].railroads, *point.railroads} if self.pins[twin_number].railroads else ()
            self.pins[twin_number] = replace(
                self.pins[twin_number], railroads=tuple(sorted(owners)) if point.railroads else ()
            )

    def _find_pin(self, point: PinnedPoint) -> int | None:
        """Return the number of the pin that a point refers to, if there is one already."""
        pin_here = self._pin_by_place.get(_round_place(point.x, point.y))
        if not point.name and point.generated:
            return None
        if not point.name:
            return pin_here
        fitting_pins = self._pins_by_name.get(fold(point.name), set())
        if len(fitting_pins) > 1:
            exact_pins = {number for number in fitting_pins if self.pins[number].milepost.name == point.name}
            if len(exact_pins) != 1:
                quoted_names = ", ".join(sorted(repr(self.pins[number].milepost.name) for number in fitting_pins))
                raise SourceError(
                    f"{point.feature}: milepost {point.name!r} may be {quoted_names}; write the name in full"
                )
            fitting_pins = exact_pins
        return next(iter(fitting_pins), None)

    def _append_pin(self, point: PinnedPoint) -> None:
        pin_here = self._pin_by_place.setdefault(_round_place(point.x, point.y), len(self.pins))
        if pin_here < len(self.pins) and (point.name or not point.generated):
            other_name = self.pins[pin_here].milepost.name or "a nameless one"
            raise SourceError(
                f"{point.feature}: milepost {point.name!r} is at the same place as {other_name!r}; move one; if both "
                "are "
                "one place, remove one or give both the same name; cities that share a milepost name it in cities.csv"
            )
        if point.name:
            self._pins_by_name[fold(point.name)].add(len(self.pins))
        milepost = NetworkMilepost(
            id=slug(point.name) or self._nameless_id(point),
            name=point.name,
            kind="dot",
            lon=round(point.x, 5),
            lat=round(point.y, 5),
            origin=Origin(how="generated") if point.generated else Origin(how="traced", file=point.feature),
        )
        self.pins.append(Pin(milepost, point.x, point.y, point.name, point.railroads, drawn=True))

    def _nameless_id(self, point: PinnedPoint) -> str:
        """Return an id by the place of a point, with a number where another is within a hundred metres."""
        spot_name = f"pin--{spot_id(point.x, point.y)}"
        self._spot_counts[spot_name] += 1
        return spot_name if self._spot_counts[spot_name] == 1 else f"{spot_name}-{self._spot_counts[spot_name]}"


def _note_off_place(point: PinnedPoint, pin: Pin, away: float) -> TraceNote:
    return TraceNote(
        kind="ambiguity",
        message=f"{point.feature}: {point.name!r} is drawn {away:.1f} miles from its place at "
        f"{pin.milepost.origin.where}; lines meet it where it is drawn; correct one of the two, or the control points",
        feature=point.feature,
        lon=round(point.x, 5),
        lat=round(point.y, 5),
    )


def _round_place(lon: float, lat: float) -> tuple[int, int]:
    """Round a place to a hundred metres or less."""
    return round(lon * 1000), round(lat * 1000)


def spot_id(lon: float, lat: float) -> str:
    """Return a place to a thousandth of a degree as part of an id: `121741w-38545n`."""
    east, north = _round_place(lon, lat)
    return f"{abs(east)}{'e' if east >= 0 else 'w'}-{abs(north)}{'n' if north >= 0 else 's'}"
