"""Output of `mapkit import`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mapkit.console.printing import table
from mapkit.core.plurals import count_noun

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.importing import LineFormat
    from mapkit.kinds.rail.model.georeference import DrawingExtent
    from mapkit.kinds.rail.model.import_report import BoardImportReport, ImportedFile, ImportReport, PlacingReport

_KEYS_SHOWN = 200
_NAMES_SHOWN = 20
_WORST = 10


def formats_text(formats: "Sequence[LineFormat]") -> str:
    """Lay out the formats of lines, with their suffixes and the driver that reads each."""
    rows = [(each.title, " ".join(each.suffixes), each.read_by) for each in formats]
    return table(("format", "usual suffixes", "read by"), sorted(rows))


def placing_text(report: "PlacingReport") -> str:
    """Lay out the changes of placing again."""
    parts = [
        ("moved", [f"{milepost.name} ({milepost.miles:,.2f} miles)" for milepost in report.moved]),
        ("new", report.added),
        ("gone", report.removed),
        ("lines changed", report.lines_changed),
        ("lines new", report.lines_added),
        ("lines gone", report.lines_removed),
    ]
    rows = [(what, str(len(names)), _listed(names)) for what, names in parts if names]
    head = f"drawings: {_listed(report.drawings)}"
    return f"{head}\n{table(('', 'number', ''), rows, right=(1,))}" if rows else f"{head}\nall lines stay as they are"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def import_text(report: "ImportReport") -> str:
    """Lay out the contents of files, key by key."""
    return "\n\n".join(_file_text(file) for file in report.files)


def extent_text(extent: "DrawingExtent") -> str:
    """Say how large a drawing is, and where on it something is drawn."""
    size = "no size given"
    if extent.page is not None:
        corner = f" from ({extent.page.x:g}, {extent.page.y:g})" if extent.page.x or extent.page.y else ""
        size = f"{extent.page.width:g} by {extent.page.height:g} units{corner}"
    if extent.drawn is None:
        return f"{extent.file}: {size}, nothing drawn"
    left, top, right, bottom = extent.drawn
    return f"{extent.file}: {size}, drawn from ({left:g}, {top:g}) to ({right:g}, {bottom:g})"


def _file_text(file: "ImportedFile") -> str:
    length = (
        ("units of the drawing" if file.invented else "pixels, placed by control points")
        if file.miles is None
        else f"{file.miles:,.1f} miles"
    )
    dots = f"{count_noun(file.points, 'milepost')}, {file.named_points:,} of them named"
    rows = [(k.key or "(empty)", f"{k.lines:,}", k.railroad or "-") for k in file.keys[:_KEYS_SHOWN]]
    more = len(file.keys) - len(rows)
    parts = [
        (
            f"{file.file}: {count_noun(file.lines, 'line')}, "
            f"{count_noun(file.vertices, 'vertex', 'vertices')}, {length}; {dots}"
        ),
        extent_text(file.extent) if file.extent else "",
        f"attributes: {', '.join(file.columns)}" if file.columns else "",
        table(("key", "lines", "railroad"), rows, right=(1,)) if rows else "",
        f"and {count_noun(more, 'more key')}" if more else "",
        *file.notes,
        *file.problems,
    ]
    return "\n".join(part for part in parts if part)


def board_text(report: "BoardImportReport") -> str:
    """Lay out the contents of a board's file and its position on the earth."""
    head = (
        f"{report.file}: {report.title}: {count_noun(report.regions, 'region')}, "
        f"{count_noun(report.cities, 'city', 'cities')}, {count_noun(report.railroads, 'railroad')}, "
        f"{count_noun(report.dots, 'dot')}, {count_noun(report.steps, 'step')}"
    )
    parts = [head, *report.warnings]
    if report.found and report.rms_miles is None:
        parts.append(
            f"placed as the map says; {len(report.found)} cities lie where the gazetteer has them, the others and all "
            "dots in the middle of map units"
        )
    elif report.found:
        parts.append(
            f"placed by {len(report.found)} cities in {', '.join(report.countries)}: an affine map misses them by "
            f"{_miles(report.rms_miles)} miles (root mean square); a city left out is missed by "
            f"{_miles(report.left_out_rms_miles)}"
        )
        worst = sorted(report.found, key=lambda city: (-city.miles, city.name))[:_WORST]
        rows = [(city.name, city.place, f"{city.miles:.1f}") for city in worst]
        parts.append(table(("farthest off", "taken for", "miles"), rows, right=(2,)))
    if report.missing:
        parts.append(f"not found, placed by the drawing: {', '.join(report.missing)}")
    return "\n".join([*parts, *(f"not kept, or made up: {lost}" for lost in report.lost)])


def _miles(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
