"""What placing drawings again changes, before or after it is done."""

from mapkit.core.errors import PlaceError
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.importing.drawings import drawings_of, notes_of
from mapkit.kinds.rail.model.import_report import MovedMilepost, PlacingReport
from mapkit.kinds.rail.tables import BY_RULE, Line, RailDocument

_LEAST_MILES = 0.005


def placing_report(before: RailDocument, after: RailDocument) -> PlacingReport:
    """Return what differs between a document and the same one with its drawings placed again."""
    was, now = _mileposts(before), _mileposts(after)
    moved = [
        MovedMilepost(name=name, miles=round(miles, 2))
        for name in sorted(was.keys() & now.keys())
        if (miles := line_miles((was[name], now[name]))) >= _LEAST_MILES
    ]
    old, new = _lines(before), _lines(after)
    return PlacingReport(
        drawings=drawings_of(after),
        moved=tuple(sorted(moved, key=lambda milepost: (-milepost.miles, milepost.name))),
        added=tuple(sorted(now.keys() - was.keys())),
        removed=tuple(sorted(was.keys() - now.keys())),
        lines_changed=tuple(sorted(name for name in old.keys() & new.keys() if old[name].stops != new[name].stops)),
        lines_added=tuple(sorted(new.keys() - old.keys())),
        lines_removed=tuple(sorted(old.keys() - new.keys())),
        by_rule=placed_by_rule(after),
        notes=tuple(note.message for note in notes_of(after.files.items())),
    )


def placed_by_rule(document: RailDocument) -> int:
    """Return how many mileposts stand where spacing or the end of a line put them."""
    return sum(place.note == BY_RULE for place in document.places.values())


def _lines(document: RailDocument) -> dict[str, Line]:
    return {f"{line.railroad}: {line.name}": line for line in document.lines.values()}


def _mileposts(document: RailDocument) -> dict[str, tuple[float, float]]:
    """Return the mileposts of all lines by name, degrees; a place that is not found is left out."""
    finder = finder_of(document)
    out: dict[str, tuple[float, float]] = {}
    for name in sorted({place for line in document.lines.values() for place, kind in line.stops if kind == "milepost"}):
        try:
            place, lon, lat = finder.find(name)
        except PlaceError:
            continue
        out[place] = (lon, lat)
    return out
