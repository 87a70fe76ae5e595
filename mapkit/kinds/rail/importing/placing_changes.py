"""Report of the changes of placing drawings again, before or after it is done."""

from mapkit.core.errors import PlaceError
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.importing.drawings import drawings_of, list_notes
from mapkit.kinds.rail.model.import_report import MovedMilepost, PlacingReport
from mapkit.kinds.rail.tables import BY_RULE, Line, RailDocument

_MIN_MILES = 0.005


def placing_report(current_document: RailDocument, placed_document: RailDocument) -> PlacingReport:
    """Return the differences between a document and the same one with its drawings placed again."""
    points_before, points_after = _mileposts_by_name(current_document), _mileposts_by_name(placed_document)
    moved_mileposts = [
        MovedMilepost(name=row_name, miles=round(moved_miles, 2))
        for row_name in sorted(points_before.keys() & points_after.keys())
        if (moved_miles := line_miles((points_before[row_name], points_after[row_name]))) >= _MIN_MILES
    ]
    lines_before, lines_after = _lines_by_name(current_document), _lines_by_name(placed_document)
    return PlacingReport(
        drawings=drawings_of(placed_document),
        moved=tuple(sorted(moved_mileposts, key=lambda milepost: (-milepost.miles, milepost.name))),
        added=tuple(sorted(points_after.keys() - points_before.keys())),
        removed=tuple(sorted(points_before.keys() - points_after.keys())),
        lines_changed=tuple(
            sorted(
                row_name
                for row_name in lines_before.keys() & lines_after.keys()
                if lines_before[row_name].stops != lines_after[row_name].stops
            )
        ),
        lines_added=tuple(sorted(lines_after.keys() - lines_before.keys())),
        lines_removed=tuple(sorted(lines_before.keys() - lines_after.keys())),
        by_rule=placed_by_rule(placed_document),
        notes=tuple(note.message for note in list_notes(placed_document.files.items())),
    )


def placed_by_rule(document: RailDocument) -> int:
    """Return the number of mileposts placed by spacing or at the end of a line."""
    return sum(place.note == BY_RULE for place in document.places.values())


def _lines_by_name(document: RailDocument) -> dict[str, Line]:
    return {f"{line.railroad}: {line.name}": line for line in document.lines.values()}


def _mileposts_by_name(document: RailDocument) -> dict[str, tuple[float, float]]:
    """Return the mileposts of all lines by name, degrees, without unknown places."""
    place_finder = finder_of(document)
    point_by_name: dict[str, tuple[float, float]] = {}
    for name in sorted({place for line in document.lines.values() for place, kind in line.stops if kind == "milepost"}):
        try:
            place, lon, lat = place_finder.find(name)
        except PlaceError:
            continue
        point_by_name[place] = (lon, lat)
    return point_by_name
