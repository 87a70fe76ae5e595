"""Checks on what was found in drawn lines when they were imported, and in cities when they were read."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Place, Severity
from mapkit.kinds.rail.checks.check import Check, Checked
from mapkit.kinds.rail.model.network import TraceNote


def _notes(c: Checked, kind: str) -> Iterator[Found]:
    for note in c.board.provenance.notes:
        if note.kind == kind:
            yield Found(note.message, _elements(note), Place(file=_file(note), lon=note.lon, lat=note.lat))


def _elements(note: TraceNote) -> tuple[str, ...]:
    """Return what the finding is about: the feature, and the place to a thousandth of a degree."""
    place = () if note.lon is None or note.lat is None else (f"{note.lon:.3f} {note.lat:.3f}",)
    return (note.feature or note.message, *place)


def _file(note: TraceNote) -> str | None:
    return note.feature.partition("#")[0] or None


def _ambiguous(c: Checked) -> Iterator[Found]:
    """A place in drawn lines at which mapkit would have to guess, and does not.

    A pinned milepost between two lines of one railroad, two mileposts within the snapping distance of each other, or
    a crowd of ends: none of them is joined. Or a drawn milepost that no line passes.
    """
    return _notes(c, "ambiguity")


def _left_out(c: Checked) -> Iterator[Found]:
    """Features of drawings that are not in the board.

    They have no geometry, bad numbers, a shape that is not a line or point, or no railroad in the mapping.
    """
    return _notes(c, "left out")


def _repaired(c: Checked) -> Iterator[Found]:
    """What was repaired in drawn lines, each with its place and size.

    Ends extended or cut back to a line or milepost, gaps closed, doubled vertices and lines, spikes, pieces of no
    length. Look at the large ones.
    """
    return _notes(c, "repair")


def _spacing(c: Checked) -> Iterator[Found]:
    """Spacing by rule that came out badly.

    A milepost that no free place beside the line could name, a tie in the number of steps, or a gap that nothing uses.
    """
    return _notes(c, "spacing")


def _crossings(c: Checked) -> Iterator[Found]:
    """Lines of one railroad that cross off a milepost and were joined at a junction, where none of them ends.

    Trains can change from one to the other there. If they cannot, give one of the lines another level.
    """
    return _notes(c, "crossing")


def _older(c: Checked) -> Iterator[Found]:
    """Drawings in the folder where an earlier mapkit kept them, so that their lines are not rows yet.

    `mapkit import --again --into BOARD` places them for good: the board stays the same.
    """
    return _notes(c, "older package")


def _positions(c: Checked) -> Iterator[Found]:
    """A city that lies more than 30 miles from every place of its name in the gazetteer of the board's countries.

    Mostly a minus sign was lost, or longitude and latitude were exchanged; the nearest place of the name is given. A
    city whose name the gazetteer lacks is not looked at.
    """
    for note in c.board.provenance.notes:
        city = note.feature.partition("#")[2]
        if note.kind == "position" and city in c.city_names:
            where = c.place("cities", city)
            yield Found(note.message, (city,), Place(file=where.file, row=where.row, lon=note.lon, lat=note.lat))


CHECKS = (
    Check("G01", "nothing in drawn lines is ambiguous", Severity.WARNING, _ambiguous),
    Check("G02", "nothing was left out of drawings", Severity.WARNING, _left_out),
    Check("G03", "what was repaired in drawn lines", Severity.NOTE, _repaired),
    Check("G04", "what spacing by rule could not do well", Severity.NOTE, _spacing),
    Check("G05", "lines that cross off a milepost", Severity.NOTE, _crossings),
    Check("G06", "drawings are placed for good", Severity.NOTE, _older),
    Check("G07", "cities lie where the gazetteer has their names", Severity.WARNING, _positions),
)
