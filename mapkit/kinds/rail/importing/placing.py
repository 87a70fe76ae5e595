"""Placing drawings: their lines become rows of station lists, with the places that they name.

Placing is a function of the drawings, of cities, control points and settings, and of the lists that people typed. So
the same drawing gives the same rows, and placing again shows, before it is done, what it would move.
"""

import base64
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from mapkit.core.errors import SourceError, SpacingError
from mapkit.core.names import fold
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import station_file
from mapkit.document.changes import apply, difference
from mapkit.document.document import File, Row, ordered
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.formats.files import decoded
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.importing.drawings import (
    MAPPING,
    NOTES,
    OLD_MAPPING,
    drawing_of,
    file_row,
    goes_along,
    is_drawing,
    is_old_drawing,
    moved,
    notes_text,
    read_notes,
)
from mapkit.kinds.rail.importing.traced_files import read_traced
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, StationRow
from mapkit.kinds.rail.model.stage import StageData
from mapkit.kinds.rail.sources.control_points import place_control_points
from mapkit.kinds.rail.sources.places import PlaceFinder, beside
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_drawings
from mapkit.kinds.rail.sources.table_files import CONTROL_POINTS
from mapkit.kinds.rail.tables import Line, Place, RailDocument, line_key, ranked
from mapkit.kinds.rail.trace.edited import find_edits
from mapkit.kinds.rail.trace.keeping import KEPT, list_kept
from mapkit.kinds.rail.trace.listing import Listed, ListedLine, ListedPlace, list_traced
from mapkit.kinds.rail.trace.plane import bend_lines
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.traced import note_order


def bring_over(document: RailDocument) -> RailDocument:
    """Return a document as importing leaves it.

    Drawings of an earlier mapkit, which lie in `lines/`, are placed, beside lines that the board has already, and go
    to `drawings/`. A document without such is returned as it is.

    Raises:
        SourceError: A drawing is wrong, or cannot be placed.
    """
    old = [path for path in document.files if is_old_drawing(path)]
    return ranked(_moved_over(place_again(document, old))) if old else document


def _moved_over(document: RailDocument) -> RailDocument:
    """Return a document with the drawings in `lines/`, and what belongs to them, in `drawings/`.

    Raises:
        SourceError: There is another file of that name.
    """
    paths = _moves(document)
    for old, new in paths.items():
        if new in document.files:
            raise SourceError(f"{old}: there is {new} already; rename or remove one of them")
    files = {paths.get(path, path): file for path, file in document.files.items()}

    def renamed(text: str) -> str:
        for old, new in paths.items():
            text = text.replace(old, new)
        return text

    notes = files.get(NOTES)
    if notes is not None:
        files[NOTES] = file_row(renamed(base64.b64decode(notes.content).decode()).encode())
    lines = {
        key: line.model_copy(update={"feature": renamed(line.feature)}) if drawing_of(line) in paths else line
        for key, line in document.lines.items()
    }
    places = {
        key: place.model_copy(update={"note": renamed(place.note)}) if place.note.partition("#")[0] in paths else place
        for key, place in document.places.items()
    }
    return _with(document, files=files, lines=lines, places=places)


def _moves(document: RailDocument) -> dict[str, str]:
    """Return where the files of an earlier mapkit in `lines/` go, the longest first."""
    paths = [path for path in document.files if goes_along(path)]
    return {path: moved(path) for path in sorted(paths, key=lambda path: (-len(path), path))}


def place_again(
    document: RailDocument, only: Collection[str] | None = None, *, waiting: bool = False, many: bool = True
) -> RailDocument:
    """Return a document with its drawings placed again: their lines and places replace those that they gave before.

    Rows that come out as they are stay the same objects.

    Args:
        document: A document with drawings.
        only: The drawings to place; lines of others stay, and are joined to as typed ones are. None places all.
        waiting: Leave out, and say so, new drawings in pixels while there are no control points.
        many: Whether more mileposts may be placed by rule than boards have.

    Raises:
        SourceError: A drawing cannot be read or placed.
    """
    chosen = frozenset(_drawings(document) if only is None else only)
    bare = without_drawn(document, None if only is None else chosen)
    source = drawn_source(bare, chosen)
    settled = _settled(bare, source.pinned)
    if waiting and not source.control_points:
        source = _without_waiting(source, frozenset(map(drawing_of, document.lines.values())))
    listed = _listed(document, source, many=many)
    return _with(
        document,
        lines=_lines(document, bare, listed.lines),
        places=_places(document, bare, replace(listed, places={**settled, **listed.places})),
        files=_files(document, listed, None if only is None else chosen),
    )


def _listed(document: RailDocument, source: Source, *, many: bool) -> Listed:
    """Return what `list_traced` does; a rule that asks for too many mileposts is named with its row."""
    try:
        return list_traced(source, many=many)
    except SpacingError as error:
        origin = document.origin("settings", "spacing.gap_mi")
        where = f"{origin.file}:{origin.row}" if origin is not None and origin.row else CONFIG_FILE
        raise SpacingError(f"{where}: {error}") from error


def with_kept(document: RailDocument, source: Source) -> RailDocument:
    """Return a document with the lines of a source added as they are: see `mapkit.kinds.rail.trace.keeping`.

    The new lists are as if somebody had typed them: no drawing is kept, and placing again leaves them alone.

    Args:
        document: The document.
        source: What it is placed by (`drawn_source`), with lines and points.

    Raises:
        SourceError: Lists of these names are there already, or the lines cannot be placed.
    """
    listed = list_kept(source)
    names = {(line.railroad, fold(line.name)) for line in document.lines.values()}
    twice = [line for line in listed.lines if (line.railroad, fold(line.name)) in names]
    if twice:
        raise SourceError(
            f"{twice[0].railroad} has a line {twice[0].name!r} already, maybe of an earlier import; remove "
            "or rename it in lines/, or rename the file"
        )
    return _with(
        document,
        lines=_lines(document, document, listed.lines),
        places=_places(document, document, listed),
        files=_files(document, listed, ()),
    )


def with_stage(document: RailDocument, start: StageData) -> RailDocument:
    """Return a document whose drawn lines and places are as the edits of a stage of tracing make them.

    What nobody edited stays as the document has it: only lines and places that the edits change become others.

    Args:
        document: A document with drawings.
        start: The stage; what is left to do after it is done.

    Raises:
        SourceError: The stage is of another board, or cannot be placed.
    """
    whole = without_drawn(document)
    edited = find_edits(drawn_source(whole, board_id=start.board), start)
    if edited is None:
        return document
    was, now = list_traced(edited.before), list_traced(edited.after)
    features = _changed_features(document, was, now)
    bare = _without(document, {key for key, line in document.lines.items() if _feature(line) in features})
    settled = _settled(whole, edited.after.pinned)
    lines = [line for line in now.lines if _feature(line) in features]
    places = _changed_places(document, was, now, {name for line in lines for name, _ in line.stops})
    return _with(
        document,
        lines=_lines(document, bare, lines),
        places=_places(document, bare, replace(now, places={**settled, **places})),
        files=_files(document, replace(now, notes=_changed_notes(document, was, now)), None),
    )


def _changed_features(document: RailDocument, was: Listed, now: Listed) -> set[tuple[str, str]]:
    """Return the features whose track edits change, and those that must change for them to meet."""
    before, after = _stretches(was.lines), _stretches(now.lines)
    out = {feature for feature in before.keys() | after.keys() if before.get(feature) != after.get(feature)}
    own: dict[tuple[str, str], set[str]] = {}
    for line in document.lines.values():
        own.setdefault(_feature(line), set()).update(fold(name) for name, _ in line.stops)
    stops = {feature: {fold(name) for pair in pairs for name, _ in pair} for feature, pairs in after.items()}
    todo = sorted(out)
    while todo:
        mine = todo.pop()
        for other in sorted(stops.keys() - out):
            if other[0] == mine[0] and not stops[other] & stops.get(mine, set()) <= own.get(other, set()):
                out.add(other)
                todo.append(other)
    return out


def _changed_places(document: RailDocument, was: Listed, now: Listed, used: Collection[str]) -> dict[str, ListedPlace]:
    """Return the places that edits moved, and those that changed lines name; others as the document has them."""
    out: dict[str, ListedPlace] = {}
    for name, place in now.places.items():
        same = was.places.get(name) == place
        kept = document.places.get(name) if same else None
        if not same or name in used:
            out[name] = place if kept is None else ListedPlace(kept.lon, kept.lat, kept.note)
    return out


def _changed_notes(document: RailDocument, was: Listed, now: Listed) -> tuple[TraceNote, ...]:
    """Return the notes of a document without those that edits settle, and with those that they cause."""
    old = document.files.get(NOTES)
    notes = set(() if old is None else read_notes(base64.b64decode(old.content).decode("utf-8", errors="replace")))
    return tuple((notes - (set(was.notes) - set(now.notes))) | (set(now.notes) - set(was.notes)))


def _stretches(lines: Iterable[Line | ListedLine]) -> dict[tuple[str, str], set[frozenset[tuple[str, str]]]]:
    out: dict[tuple[str, str], set[frozenset[tuple[str, str]]]] = {}
    for line in lines:
        if line.feature:
            out.setdefault(_feature(line), set()).update(map(frozenset, pairwise(line.stops)))
    return out


def _feature(line: Line | ListedLine) -> tuple[str, str]:
    return line.railroad, line.feature


def _without_waiting(source: Source, placed: Collection[str]) -> Source:
    """Return a source without the drawings in pixels that were never placed."""
    waits = {line.feature.partition("#")[0] for line in source.traced if line.pixels}
    waits |= {point.feature.partition("#")[0] for point in source.pinned if point.pixels}
    waits -= set(placed)
    notes = [
        TraceNote(
            kind="left out",
            what="waiting",
            message=f"{path}: a drawing in pixels waits for {CONTROL_POINTS}; add it (x, y and lon, lat or city), then "
            "place it with mapkit import --again",
            feature=path,
        )
        for path in sorted(waits)
    ]
    return source.model_copy(
        update={
            "traced": tuple(row for row in source.traced if row.feature.partition("#")[0] not in waits),
            "pinned": tuple(row for row in source.pinned if row.feature.partition("#")[0] not in waits),
            "import_notes": (*source.import_notes, *notes),
        }
    )


def _with(document: RailDocument, **tables: Mapping[str, Row]) -> RailDocument:
    """Return a document with other tables; rows that stay keep their origins."""
    return apply(document, difference(document, RailDocument({**document.tables, **tables})))


def without_drawn(document: RailDocument, drawings: Collection[str] | None = None) -> RailDocument:
    """Return a document without the lines that came from drawings, and without the places that only they name.

    Args:
        document: The document.
        drawings: Those whose lines go; None: the lines of all.
    """
    gone = {
        key
        for key, line in document.lines.items()
        if line.feature and (drawings is None or drawing_of(line) in drawings)
    }
    return _without(document, gone)


def _without(document: RailDocument, gone: Collection[str]) -> RailDocument:
    """Return a document without lines, and without the places made for drawings that only they name."""
    lines = {key: line for key, line in document.lines.items() if key not in gone}
    used = {fold(place) for line in lines.values() for place, _ in line.stops}
    used |= {fold(point.city) for point in document.control_points.values()}
    places = {key: row for key, row in document.places.items() if not row.is_drawn or fold(key) in used}
    return _with(document, lines=lines, places=places)


def drawn_source(document: RailDocument, drawings: Iterable[str] | None = None, *, board_id: str = "board") -> Source:
    """Return what placing needs of a document: its drawings as read, and its station lists, cities and control points.

    Args:
        document: A document without lines from these drawings.
        drawings: Which to read; all by default.
        board_id: The board's id.

    Raises:
        SourceError: A drawing, a setting or a control point is wrong, or a place is unknown.
    """
    config = config_of(document)
    railroads, cities = dict(ordered(document.railroads)), dict(ordered(document.cities))
    own = {path: base64.b64decode(file.content) for path, file in document.files.items() if path != NOTES}
    chosen = set(_drawings(document) if drawings is None else drawings)
    names = sorted(name for name in own if name in chosen or name not in _drawings(document))
    with tempfile.TemporaryDirectory(prefix="mapkit-drawings-") as folder:
        write_files(Path(folder), own)
        drawn = [
            read_traced(
                Path(folder),
                [name for name in names if name.startswith(mapping.partition("/")[0]) and name != mapping],
                railroads=railroads,
                crs=config.tracing.crs,
                mapping=decoded(own[mapping], name=mapping) if mapping in own else None,
                mapping_file=mapping,
            )
            for mapping in (MAPPING, OLD_MAPPING)
        ]
    points = tuple(point for read in drawn for point in read.points)
    settled = {name: (place.lon, place.lat) for name, place in _settled(document, points).items()}
    finder = finder_of(document, settled)
    lines = tuple(line for read in drawn for line in read.lines)
    swapped = find_swapped_drawings((*lines, *points), cities.values())
    problems = Problems()
    control_points = [point for _, point in ordered(document.control_points)]
    placed = place_control_points(control_points, finder, problems=problems)
    problems.raise_if_any()
    source = Source(
        id=board_id,
        config=config,
        railroads=railroads,
        cities=cities,
        stations=tuple(_stations(document, finder)),
        traced=lines,
        pinned=points,
        control_points=placed,
        pages={name: page for read in drawn for name, page in read.pages.items()},
        import_notes=(*(note for read in drawn for note in read.notes), *swapped),
    )
    bent = iter(bend_lines([row.line for row in lines if not row.pixels], source))
    return source.model_copy(
        update={"traced": tuple(row if row.pixels else row.model_copy(update={"line": next(bent)}) for row in lines)}
    )


def _drawings(document: RailDocument) -> list[str]:
    """Return all drawings of a document, also those of an earlier mapkit."""
    return [path for path in document.files if is_drawing(path) or is_old_drawing(path)]


def _settled(document: RailDocument, points: Iterable[PinnedPoint]) -> dict[str, ListedPlace]:
    """Return where typed stops lie that only a drawn point shows: the gazetteer has no place of the name, or several.

    Args:
        document: Cities and rows of `places.csv` go before a point, unless the row came from a drawing itself.
        points: Those in degrees count; of several of one name the first does.
    """
    drawn: dict[str, PinnedPoint] = {}
    for point in points:
        if point.name and not point.pixels:
            drawn.setdefault(fold(point.name), point)
    if not drawn:
        return {}
    kept = {key: row for key, row in document.places.items() if not row.is_drawn}
    finder = finder_of(_with(document, places=kept))
    names = {name for line in document.lines.values() for name, _ in line.stops if fold(name) in drawn}
    found = {name: drawn[fold(name)] for name in sorted(names) if finder.get(name) is None}
    return {name: ListedPlace(round(p.x, 5), round(p.y, 5), p.feature) for name, p in found.items()}


def _stations(document: RailDocument, finder: PlaceFinder) -> Iterable[StationRow]:
    """Yield the stops of typed lines with their places.

    Raises:
        SourceError: Places cannot be found; all are named with file and row.
    """
    numbers: dict[str, int] = {}
    problems = Problems()
    rows = sorted(ordered(document.lines), key=lambda item: item[1].file)
    for key, line in rows:
        origin = document.origin("lines", key)
        everywhere = {at: finder.get(name) for at, (name, _) in enumerate(line.stops)}
        points = {at: (found[1], found[2]) for at, found in everywhere.items() if found is not None}
        for seq, (name, kind) in enumerate(line.stops, start=1):
            number = numbers[line.file] = numbers.get(line.file, 1) + 1
            found = everywhere[seq - 1]
            if found is None:
                near = beside(points, seq - 1) or finder.known.middles()
                where = f"{line.file}:{origin.rows[seq - 1] if origin and origin.rows else number}"
                problems.add(f"{where}: {finder.why_not(name, near)}")
                continue
            place, lon, lat = found
            yield StationRow(
                file=line.file,
                row=number,
                railroad=line.railroad,
                line=line.name,
                seq=seq,
                place=place,
                kind=kind,
                lon=lon,
                lat=lat,
            )
    problems.raise_if_any()


def _lines(document: RailDocument, bare: RailDocument, listed: Iterable[ListedLine]) -> dict[str, Line]:
    """Return the lines of a document; one that a feature gave before keeps key, name, file and rank."""
    out = dict(bare.lines)
    known: dict[tuple[str, str], list[str]] = {}
    for key, before in ordered(document.lines):
        if key not in out:
            known.setdefault((before.railroad, before.feature), []).append(key)
    names = {(line.railroad, fold(line.name)) for line in document.lines.values()}
    taken = set(document.lines)
    rank = max((line.rank for line in document.lines.values()), default=0.0)
    for line in listed:
        keys = known.get((line.railroad, line.feature))
        if keys:
            key = keys.pop(0)
            old, name = document.lines[key], document.lines[key].name
        else:
            old, name, number = None, line.name, 2
            while (line.railroad, fold(name)) in names:
                name, number = f"{line.name} {number}", number + 1
            names.add((line.railroad, fold(name)))
            key, rank = line_key(line.railroad, name, taken), rank + 1
        row = Line(
            railroad=line.railroad,
            name=name,
            file=station_file(line.railroad) if old is None else old.file,
            feature=line.feature,
            stops=line.stops,
            rank=rank if old is None else old.rank,
        )
        out[key] = old if old is not None and old == row else row
    return out


def _places(document: RailDocument, bare: RailDocument, listed: Listed) -> dict[str, Place]:
    """Return the places of a document with those of the lists; a note that somebody wrote stays."""
    spelled = {fold(key): key for key in bare.places}
    before = {fold(key): (key, row) for key, row in document.places.items()}
    places = {fold(name): (name, place) for name, place in listed.places.items()}
    out = {key: row for key, row in bare.places.items() if fold(key) not in places}
    rank = max((row.rank for row in document.places.values()), default=0.0)
    for key, (name, place) in places.items():
        kept = spelled.get(key)
        _, old = before.get(key, ("", None))
        if old is None:
            rank += 1
        note = bare.places[kept].note if kept is not None else place.note
        row = Place(lon=place.lon, lat=place.lat, note=note, rank=rank if old is None else old.rank)
        out[kept or name] = old if old is not None and old == row else row
    return out


def _files(document: RailDocument, listed: Listed, only: Collection[str] | None) -> dict[str, File]:
    """Return the files of a document with what placing had to say; of drawings that were not placed it stays."""
    notes = set(listed.notes)
    old = document.files.get(NOTES)
    if old is not None:
        earlier = read_notes(base64.b64decode(old.content).decode("utf-8", errors="replace"))
        stays = [note for note in earlier if only is not None and note.feature.partition("#")[0] not in only]
        notes |= {*stays, *(note for note in earlier if note.what == KEPT)}
    out = {path: file for path, file in document.files.items() if path != NOTES}
    if notes:
        fresh = file_row(notes_text(sorted(notes, key=note_order)).encode())
        out[NOTES] = old if old is not None and old == fresh else fresh
    return out
