"""Checks on notes from the import of drawn lines and from reading cities."""

import math
from collections import defaultdict
from collections.abc import Container, Iterator
from itertools import chain
from statistics import median
from typing import Final

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.geodesy import MILES_PER_DEGREE
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.model.board import City
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.sources.table_files import CITIES

_REMOTE_MI: Final = 200.0
_REMOTE_STEPS: Final = 20.0


def _report_notes(c: CheckedRails, kind: str) -> Iterator[Found]:
    for note in c.board.provenance.notes:
        if note.kind == kind:
            file = note.feature.partition("#")[0] or None
            yield Found(note.message, _note_elements(note), Place(file=file, lon=note.lon, lat=note.lat))


def _note_elements(note: TraceNote) -> tuple[str, ...]:
    """Return the subject of a finding: the feature and its place to a thousandth of a degree, or a kind of repair."""
    if note.lon is not None and note.lat is not None:
        return note.feature or note.message, f"{note.lon:.3f} {note.lat:.3f}"
    return (note.feature or note.message, *((note.what,) if note.kind == "repair" else ()))


def _find_ambiguous_line(c: CheckedRails) -> Iterator[Found]:
    """A place in drawn lines where mapkit would have to guess, and does not.

    A pinned milepost between two lines of one railroad, two mileposts within the snapping distance of each other, or
    a crowd of ends: none of them is joined. Or a drawn milepost that no line passes, or a repair that is large for the
    snapping distance: an end moved by more than three quarters of it, a second line as far beside another, or a loop of
    more than twice its length left out. Or an end that is short of a line or a milepost by up to twice the snapping
    distance. Of a network that was imported as it is: what was left out, was given another name, or ends off any
    milepost.
    """
    return _report_notes(c, "ambiguity")


def _find_unused_feature(c: CheckedRails) -> Iterator[Found]:
    """Features of drawings that are not in the board.

    They have no geometry, bad numbers, a shape that is not a line or point, or no railroad in the mapping. Likewise
    rows of `drawings/mapping.csv` for files that are not there.
    """
    return _report_notes(c, "left out")


def _find_repaired_line(c: CheckedRails) -> Iterator[Found]:
    """A repair of drawn lines, with its place and size; first, how many there are of each kind.

    mapkit extends or cuts back ends to a line or milepost, closes gaps, and removes doubled vertices and lines, spikes
    and small loops. Repairs below 0.005 miles are not listed; large ones are findings G01.
    """
    return _report_notes(c, "repair")


def _find_uneven_spacing(c: CheckedRails) -> Iterator[Found]:
    """A place where spacing by rule fell short.

    A milepost for which the gazetteer has no free name beside the line, a tie between two numbers of steps, or a rule
    that applies to no line.
    """
    return _report_notes(c, "spacing")


def _find_lines_cross_off_mileposts(c: CheckedRails) -> Iterator[Found]:
    """Drawn lines that cross, pass or run side by side away from any milepost.

    Lines of one railroad that cross were joined at a junction though none ends there, and trains can change from one to
    the other. If they cannot, give one of the lines another level. Lines of different railroads that come within
    `tracing.snap_mi` of each other without a common milepost stay apart (RB-C10). If trains can change there, draw a
    point. Track along which two railroads run is one finding. Lines on different levels are not compared.
    """
    return _report_notes(c, "crossing")


def _find_drawing_outside_folder(c: CheckedRails) -> Iterator[Found]:
    """Drawings in the folder where an earlier mapkit kept them. Their lines are not yet rows of tables.

    `mapkit import --again --into BOARD` makes them rows; the board stays the same.
    """
    return _report_notes(c, "older package")


def _find_position_disagrees_with_name(c: CheckedRails) -> Iterator[Found]:
    """A position that its name or the other cities contradict.

    Either a city is more than 30 miles from every place of its name in the gazetteer of the board's countries: usually
    a minus sign was lost, or longitude and latitude were swapped. The message gives the nearest place of the name.
    Or a city is more than 30 miles from its milepost, or from all its neighbours by 200 miles and twenty usual steps.
    Or a place or drawn line is far from all cities, but lies among them with longitude and latitude swapped, and no
    place of its name in the gazetteer of the world is near. Accept the finding where the position is right.
    """
    noted_cities: set[str] = set()
    noted_positions: set[tuple[float | None, float | None]] = set()
    for note in c.board.provenance.notes:
        if note.kind != "position":
            continue
        noted_positions.add((note.lon, note.lat))
        file, _, city_id = note.feature.partition("#")
        if file != CITIES:
            yield Found(note.message, _note_elements(note), Place(file=file, row=note.row, lon=note.lon, lat=note.lat))
        elif city_id in c.city_names and city_id not in noted_cities:
            noted_cities.add(city_id)
            city_place = c.place("cities", city_id)
            yield Found(
                note.message, (city_id,), Place(file=city_place.file, row=city_place.row, lon=note.lon, lat=note.lat)
            )
    for city, nearest_mi, usual_mi in _measure_remote_cities(c, noted_positions):
        if city.id not in noted_cities:
            message = (
                f"{city.name} lies {nearest_mi:,.0f} miles from the nearest milepost on its lines, where "
                f"{usual_mi:,.0f} are usual; correct its position, or accept this if it is meant"
            )
            yield Found(message, (city.id,), c.place("cities", city.id))


def _measure_remote_cities(
    c: CheckedRails, noted_positions: Container[tuple[float | None, float | None]]
) -> Iterator[tuple[City, float, float]]:
    """Yield each city far from all its neighbours, the miles to the nearest, and the usual miles of a step.

    Links of mileposts whose positions are noted already do not count.
    """
    step_miles: dict[str, list[float]] = defaultdict(list)
    for link in chain.from_iterable(c.links_by_railroad.values()):
        a, b = c.mileposts[link.a], c.mileposts[link.b]
        if (a.lon, a.lat) in noted_positions or (b.lon, b.lat) in noted_positions:
            continue
        east_degrees = math.remainder(a.lon - b.lon, 360) * math.cos(math.radians((a.lat + b.lat) / 2))
        miles = MILES_PER_DEGREE * math.hypot(east_degrees, a.lat - b.lat)
        step_miles[link.a].append(miles)
        step_miles[link.b].append(miles)
    usual_mi = median(list(chain.from_iterable(step_miles.values()))) if step_miles else 0.0
    for city in c.board.cities:
        nearest_mi = min(step_miles.get(city.milepost, (0.0,)))
        if nearest_mi > max(_REMOTE_MI, _REMOTE_STEPS * usual_mi):
            yield city, nearest_mi, usual_mi


CHECKS = (
    make_listed_check("G01", _find_ambiguous_line),
    make_listed_check("G02", _find_unused_feature),
    make_listed_check("G03", _find_repaired_line),
    make_listed_check("G04", _find_uneven_spacing),
    make_listed_check("G05", _find_lines_cross_off_mileposts),
    make_listed_check("G06", _find_drawing_outside_folder),
    make_listed_check("G07", _find_position_disagrees_with_name),
)
