"""Placement of drawings: their lines become rows of station lists, with the places in these.

Placing is a function of the drawings, of cities, control points and settings, and of the typed lists. The same drawing
thus gives the same rows, and a preview of placing again shows its changes.
"""

import base64
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from mapkit.core.errors import SourceError, SpacingError
from mapkit.core.names import fold
from mapkit.core.outputs.filenames import station_file
from mapkit.document.changes import apply, difference
from mapkit.document.document import File, Row, sort_rows
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.formats.files import decode_text
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.importing.drawings import (
    MAPPING,
    NOTES,
    OLD_MAPPING,
    belongs_to_drawing,
    drawing_of,
    file_row,
    is_drawing,
    is_old_drawing,
    moved_path,
    notes_text,
    read_notes,
)
from mapkit.kinds.rail.importing.traced_files import read_traced
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, StationRow
from mapkit.kinds.rail.model.stage import StageData
from mapkit.kinds.rail.sources.control_points import place_control_points
from mapkit.kinds.rail.sources.places import PlaceFinder, neighbouring_stops
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_drawings
from mapkit.kinds.rail.sources.table_files import CONTROL_POINTS
from mapkit.kinds.rail.tables import Line, Place, RailDocument, line_key, ranked
from mapkit.kinds.rail.trace.finished_networks import KEPT, list_finished_network
from mapkit.kinds.rail.trace.joined_lines import note_sort_key
from mapkit.kinds.rail.trace.plane import bend_lines
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stage_edits import find_edits
from mapkit.kinds.rail.trace.station_lists import ListedLine, ListedPlace, TracedStationLists, list_traced_lines


def bring_over(document: RailDocument) -> RailDocument:
    """Return a document as after an import.

    Drawings of an earlier mapkit, which are in `lines/`, are placed beside existing lines of the board, and move to
    `drawings/`. A document without such drawings is returned unchanged.

    Raises:
        SourceError: A drawing is wrong, or cannot be placed.
    """
    old_drawings = [path for path in document.files if is_old_drawing(path)]
    return ranked(_move_drawings(place_again(document, old_drawings))) if old_drawings else document


def _move_drawings(document: RailDocument) -> RailDocument:
    """Return a document with the drawings in `lines/` and their companion files moved to `drawings/`.

    Raises:
        SourceError: A file of that name exists already.
    """
    # New paths of an earlier mapkit's files in `lines/`, the longest first
    old_paths = [path for path in document.files if belongs_to_drawing(path)]
    new_paths = {path: moved_path(path) for path in sorted(old_paths, key=lambda path: (-len(path), path))}
    for old_path, new_path in new_paths.items():
        if new_path in document.files:
            raise SourceError(f"{old_path}: there is {new_path} already; rename or remove one of them")
    moved_files = {new_paths.get(path, path): file for path, file in document.files.items()}

    def renamed(text: str) -> str:
        for old_path, new_path in new_paths.items():
            text = text.replace(old_path, new_path)
        return text

    notes_file = moved_files.get(NOTES)
    if notes_file is not None:
        moved_files[NOTES] = file_row(renamed(base64.b64decode(notes_file.content).decode()).encode())
    moved_lines = {
        key: line.model_copy(update={"feature": renamed(line.feature)}) if drawing_of(line) in new_paths else line
        for key, line in document.lines.items()
    }
    moved_places = {
        key: place.model_copy(update={"note": renamed(place.note)})
        if place.note.partition("#")[0] in new_paths
        else place
        for key, place in document.places.items()
    }
    return _replace_tables(document, files=moved_files, lines=moved_lines, places=moved_places)


def place_again(
    document: RailDocument, only: Collection[str] | None = None, *, waiting: bool = False, many: bool = True
) -> RailDocument:
    """Return a document with its drawings placed again, replacing their former lines and places.

    Unchanged rows remain the same objects.

    Args:
        document: A document with drawings.
        only: The drawings to place; lines of others are preserved, and joined like typed ones. None places all.
        waiting: Leave out new drawings in pixels, with a note, as long as there are no control points.
        many: Whether to allow more mileposts by rule than usual boards have.

    Raises:
        SourceError: A drawing cannot be read or placed.
    """
    chosen_drawings = frozenset(_list_drawings(document) if only is None else only)
    bare_document = without_drawn(document, None if only is None else chosen_drawings)
    placing_source = drawn_source(bare_document, chosen_drawings)
    settled_places = _settle_by_points(bare_document, placing_source.pinned)
    if waiting and not placing_source.control_points:
        placing_source = _drop_waiting(placing_source, frozenset(map(drawing_of, document.lines.values())))
    listed_tables = _list_with_origin(document, placing_source, many=many)
    return _replace_tables(
        document,
        lines=_merge_lines(document, bare_document, listed_tables.lines),
        places=_merge_places(
            document, bare_document, replace(listed_tables, places={**settled_places, **listed_tables.places})
        ),
        files=_merge_files(document, listed_tables, None if only is None else chosen_drawings),
    )


def _list_with_origin(document: RailDocument, source: Source, *, many: bool) -> TracedStationLists:
    """Return the result of `list_traced`; an error of too many mileposts names the row of its rule."""
    try:
        return list_traced_lines(source, many=many)
    except SpacingError as error:
        gap_origin = document.origin("settings", "spacing.gap_mi")
        where = f"{gap_origin.file}:{gap_origin.row}" if gap_origin is not None and gap_origin.row else CONFIG_FILE
        raise SpacingError(f"{where}: {error}") from error


def add_kept_lines(document: RailDocument, source: Source) -> RailDocument:
    """Return a document with the unchanged lines of a source added; see `mapkit.kinds.rail.trace.finished_networks`.

    The new lists are like typed ones: no drawing is stored, and placing again does not affect them.

    Args:
        document: The document.
        source: The inputs of placing (`drawn_source`), with lines and points.

    Raises:
        SourceError: Lists of these names exist already, or the lines cannot be placed.
    """
    listed_tables = list_finished_network(source)
    line_names = {(line.railroad, fold(line.name)) for line in document.lines.values()}
    duplicate_lines = [line for line in listed_tables.lines if (line.railroad, fold(line.name)) in line_names]
    if duplicate_lines:
        raise SourceError(
            f"{duplicate_lines[0].railroad} has a line {duplicate_lines[0].name!r} already, "
            "maybe of an earlier import; remove "
            "or rename it in lines/, or rename the file"
        )
    return _replace_tables(
        document,
        lines=_merge_lines(document, document, listed_tables.lines),
        places=_merge_places(document, document, listed_tables),
        files=_merge_files(document, listed_tables, ()),
    )


def apply_stage(document: RailDocument, start: StageData) -> RailDocument:
    """Return a document with the edits of a tracing stage applied to drawn lines and places.

    Only lines and places changed by the edits differ from the document.

    Args:
        document: A document with drawings.
        start: The stage; the remaining stages are run after it.

    Raises:
        SourceError: The stage is of another board, or cannot be placed.
    """
    undrawn_document = without_drawn(document)
    stage_edits = find_edits(drawn_source(undrawn_document, board_id=start.board), start)
    if stage_edits is None:
        return document
    listed_before, listed_after = list_traced_lines(stage_edits.before), list_traced_lines(stage_edits.after)
    changed_features = _changed_features(document, listed_before, listed_after)
    bare_document = _remove_lines(
        document, {key for key, line in document.lines.items() if _feature_of(line) in changed_features}
    )
    settled_places = _settle_by_points(undrawn_document, stage_edits.after.pinned)
    changed_lines = [line for line in listed_after.lines if _feature_of(line) in changed_features]
    changed_places = _changed_places(
        document, listed_before, listed_after, {stop_name for line in changed_lines for stop_name, _ in line.stops}
    )
    return _replace_tables(
        document,
        lines=_merge_lines(document, bare_document, changed_lines),
        places=_merge_places(
            document, bare_document, replace(listed_after, places={**settled_places, **changed_places})
        ),
        files=_merge_files(
            document, replace(listed_after, notes=_changed_notes(document, listed_before, listed_after)), None
        ),
    )


def _changed_features(
    document: RailDocument, listed_before: TracedStationLists, listed_after: TracedStationLists
) -> set[tuple[str, str]]:
    """Return the features with track changed by edits, and those that must change to meet them."""
    stretches_before, stretches_after = (
        _stretches_by_feature(listed_before.lines),
        _stretches_by_feature(listed_after.lines),
    )
    changed_features = {
        feature
        for feature in stretches_before.keys() | stretches_after.keys()
        if stretches_before.get(feature) != stretches_after.get(feature)
    }
    stops_by_feature: dict[tuple[str, str], set[str]] = {}
    for line in document.lines.values():
        stops_by_feature.setdefault(_feature_of(line), set()).update(fold(name) for name, _ in line.stops)
    new_stops = {
        feature: {fold(name) for pair in stop_pairs for name, _ in pair}
        for feature, stop_pairs in stretches_after.items()
    }
    pending_features = sorted(changed_features)
    while pending_features:
        current_feature = pending_features.pop()
        for other_feature in sorted(new_stops.keys() - changed_features):
            if other_feature[0] == current_feature[0] and not new_stops[other_feature] & new_stops.get(
                current_feature, set()
            ) <= stops_by_feature.get(other_feature, set()):
                changed_features.add(other_feature)
                pending_features.append(other_feature)
    return changed_features


def _changed_places(
    document: RailDocument,
    listed_before: TracedStationLists,
    listed_after: TracedStationLists,
    used_names: Collection[str],
) -> dict[str, ListedPlace]:
    """Return the places moved by edits, and those in changed lines; unmoved ones as in the document."""
    changed_places: dict[str, ListedPlace] = {}
    for name, place in listed_after.places.items():
        is_unmoved = listed_before.places.get(name) == place
        document_place = document.places.get(name) if is_unmoved else None
        if not is_unmoved or name in used_names:
            changed_places[name] = (
                place
                if document_place is None
                else ListedPlace(document_place.lon, document_place.lat, document_place.note)
            )
    return changed_places


def _changed_notes(
    document: RailDocument, listed_before: TracedStationLists, listed_after: TracedStationLists
) -> tuple[TraceNote, ...]:
    """Return the notes of a document without those that edits settle, and with those that they cause."""
    notes_file = document.files.get(NOTES)
    document_notes = set(
        () if notes_file is None else read_notes(base64.b64decode(notes_file.content).decode("utf-8", errors="replace"))
    )
    return tuple(
        (document_notes - (set(listed_before.notes) - set(listed_after.notes)))
        | (set(listed_after.notes) - set(listed_before.notes))
    )


def _stretches_by_feature(lines: Iterable[Line | ListedLine]) -> dict[tuple[str, str], set[frozenset[tuple[str, str]]]]:
    stretches_by_feature: dict[tuple[str, str], set[frozenset[tuple[str, str]]]] = {}
    for line in lines:
        if line.feature:
            stretches_by_feature.setdefault(_feature_of(line), set()).update(map(frozenset, pairwise(line.stops)))
    return stretches_by_feature


def _feature_of(line: Line | ListedLine) -> tuple[str, str]:
    return line.railroad, line.feature


def _drop_waiting(source: Source, placed_drawings: Collection[str]) -> Source:
    """Return a source without the drawings in pixels that were never placed."""
    waiting_drawings = {line.feature.partition("#")[0] for line in source.traced if line.pixels}
    waiting_drawings |= {point.feature.partition("#")[0] for point in source.pinned if point.pixels}
    waiting_drawings -= set(placed_drawings)
    waiting_notes = [
        TraceNote(
            kind="left out",
            what="waiting",
            message=f"{path}: a drawing in pixels waits for {CONTROL_POINTS}; add it (x, y and lon, lat or city), then "
            "place it with mapkit import --again",
            feature=path,
        )
        for path in sorted(waiting_drawings)
    ]
    return source.model_copy(
        update={
            "traced": tuple(row for row in source.traced if row.feature.partition("#")[0] not in waiting_drawings),
            "pinned": tuple(row for row in source.pinned if row.feature.partition("#")[0] not in waiting_drawings),
            "import_notes": (*source.import_notes, *waiting_notes),
        }
    )


def _replace_tables(document: RailDocument, **tables: Mapping[str, Row]) -> RailDocument:
    """Return a document with other tables; unchanged rows keep their origins."""
    return apply(document, difference(document, RailDocument({**document.tables, **tables})))


def without_drawn(document: RailDocument, drawings: Collection[str] | None = None) -> RailDocument:
    """Return a document without the lines of drawings, and without the places that only these use.

    Args:
        document: The document.
        drawings: The drawings of the lines to remove; None removes the lines of all.
    """
    removed_keys = {
        key
        for key, line in document.lines.items()
        if line.feature and (drawings is None or drawing_of(line) in drawings)
    }
    return _remove_lines(document, removed_keys)


def _remove_lines(document: RailDocument, removed_keys: Collection[str]) -> RailDocument:
    """Return a document without some lines, and without the drawn places that only these use."""
    kept_lines = {key: line for key, line in document.lines.items() if key not in removed_keys}
    used_names = {fold(place) for line in kept_lines.values() for place, _ in line.stops}
    used_names |= {fold(point.city) for point in document.control_points.values()}
    kept_places = {key: row for key, row in document.places.items() if not row.is_drawn or fold(key) in used_names}
    return _replace_tables(document, lines=kept_lines, places=kept_places)


def drawn_source(document: RailDocument, drawings: Iterable[str] | None = None, *, board_id: str = "board") -> Source:
    """Return the inputs of placing from a document: its drawings, station lists, cities and control points.

    Args:
        document: A document without lines from these drawings.
        drawings: The drawings to read; all by default.
        board_id: The board's id.

    Raises:
        SourceError: A drawing, a setting or a control point is wrong, or a place is unknown.
    """
    board_config = config_of(document)
    railroads, cities = dict(sort_rows(document.railroads)), dict(sort_rows(document.cities))
    all_drawings = _list_drawings(document)
    chosen_drawings = set(all_drawings if drawings is None else drawings)
    read_paths = sorted(
        file_path
        for file_path in document.files
        if file_path != NOTES and (file_path in chosen_drawings or file_path not in all_drawings)
    )
    with tempfile.TemporaryDirectory(prefix="mapkit-drawings-") as folder:
        for file_path, file in document.files.items():
            (Path(folder) / file_path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / file_path).write_bytes(base64.b64decode(file.content))
        traced_files = [
            read_traced(
                Path(folder),
                [
                    file_path
                    for file_path in read_paths
                    if file_path.startswith(mapping_path.partition("/")[0]) and file_path != mapping_path
                ],
                railroads=railroads,
                crs=board_config.tracing.crs,
                mapping=decode_text(base64.b64decode(document.files[mapping_path].content), name=mapping_path)
                if mapping_path in document.files
                else None,
                mapping_file=mapping_path,
                plane=board_config.projection.land_plane,
                snap_mi=board_config.tracing.snap_mi,
            )
            for mapping_path in (MAPPING, OLD_MAPPING)
        ]
    traced_points = tuple(point for traced_file in traced_files for point in traced_file.points)
    settled_points = {
        place_name: (place.lon, place.lat) for place_name, place in _settle_by_points(document, traced_points).items()
    }
    place_finder = finder_of(document, settled_points)
    traced_lines = tuple(line for traced_file in traced_files for line in traced_file.lines)
    swapped_notes = find_swapped_drawings((*traced_lines, *traced_points), cities.values())
    problems = Problems()
    control_points = [point for _, point in sort_rows(document.control_points)]
    placed_points = place_control_points(control_points, place_finder, problems=problems)
    problems.raise_if_any()
    source = Source(
        id=board_id,
        config=board_config,
        railroads=railroads,
        cities=cities,
        stations=tuple(_list_stations(document, place_finder)),
        traced=traced_lines,
        pinned=traced_points,
        control_points=placed_points,
        pages={file_path: page for traced_file in traced_files for file_path, page in traced_file.pages.items()},
        import_notes=(*(note for traced_file in traced_files for note in traced_file.notes), *swapped_notes),
    )
    bent_lines = iter(bend_lines([row.line for row in traced_lines if not row.pixels], source))
    return source.model_copy(
        update={
            "traced": tuple(
                row if row.pixels else row.model_copy(update={"line": next(bent_lines)}) for row in traced_lines
            )
        }
    )


def _list_drawings(document: RailDocument) -> list[str]:
    """Return all drawings of a document, including those of an earlier mapkit."""
    return [path for path in document.files if is_drawing(path) or is_old_drawing(path)]


def _settle_by_points(document: RailDocument, points: Iterable[PinnedPoint]) -> dict[str, ListedPlace]:
    """Return the positions of typed stops that only drawn points can resolve.

    Args:
        document: Cities and rows of `places.csv` take precedence over a point, unless the row came from a drawing.
        points: Only points in degrees count; of several with one name, the first counts.
    """
    point_by_fold: dict[str, PinnedPoint] = {}
    for point in points:
        if point.name and not point.pixels:
            point_by_fold.setdefault(fold(point.name), point)
    if not point_by_fold:
        return {}
    typed_places = {key: row for key, row in document.places.items() if not row.is_drawn}
    place_finder = finder_of(_replace_tables(document, places=typed_places))
    stop_names = {
        stop_name for line in document.lines.values() for stop_name, _ in line.stops if fold(stop_name) in point_by_fold
    }
    point_by_name = {
        stop_name: point_by_fold[fold(stop_name)]
        for stop_name in sorted(stop_names)
        if place_finder.get(stop_name) is None
    }
    return {
        stop_name: ListedPlace(round(drawn_point.x, 5), round(drawn_point.y, 5), drawn_point.feature)
        for stop_name, drawn_point in point_by_name.items()
    }


def _list_stations(document: RailDocument, finder: PlaceFinder) -> Iterable[StationRow]:
    """Yield the stops of typed lines with their places.

    Raises:
        SourceError: Places cannot be found; the error lists all with file and row.
    """
    row_by_file: dict[str, int] = {}
    problems = Problems()
    sorted_lines = sorted(sort_rows(document.lines), key=lambda item: item[1].file)
    for key, line in sorted_lines:
        origin = document.origin("lines", key)
        place_by_stop = {stop_index: finder.get(stop_name) for stop_index, (stop_name, _) in enumerate(line.stops)}
        point_by_stop = {
            stop_index: (stop_place[1], stop_place[2])
            for stop_index, stop_place in place_by_stop.items()
            if stop_place is not None
        }
        for stop_number, (stop_name, kind) in enumerate(line.stops, start=1):
            row_number = row_by_file[line.file] = row_by_file.get(line.file, 1) + 1
            stop_place = place_by_stop[stop_number - 1]
            if stop_place is None:
                nearby_points = neighbouring_stops(point_by_stop, stop_number - 1) or finder.known.middles()
                where = f"{line.file}:{origin.rows[stop_number - 1] if origin and origin.rows else row_number}"
                problems.add(f"{where}: {finder.why_not(stop_name, nearby_points)}")
                continue
            place_name, lon, lat = stop_place
            yield StationRow(
                file=line.file,
                row=row_number,
                railroad=line.railroad,
                line=line.name,
                seq=stop_number,
                place=place_name,
                kind=kind,
                lon=lon,
                lat=lat,
            )
    problems.raise_if_any()


def _merge_lines(document: RailDocument, bare: RailDocument, listed: Iterable[ListedLine]) -> dict[str, Line]:
    """Return the lines of a document; a line of a known feature keeps key, name, file and rank."""
    line_by_key = dict(bare.lines)
    keys_by_feature: dict[tuple[str, str], list[str]] = {}
    for row_key, old_line in sort_rows(document.lines):
        if row_key not in line_by_key:
            keys_by_feature.setdefault((old_line.railroad, old_line.feature), []).append(row_key)
    line_names = {(line.railroad, fold(line.name)) for line in document.lines.values()}
    used_keys = set(document.lines)
    last_rank = max((line.rank for line in document.lines.values()), default=0.0)
    for line in listed:
        feature_keys = keys_by_feature.get((line.railroad, line.feature))
        if feature_keys:
            row_key = feature_keys.pop(0)
            known_line, line_name = document.lines[row_key], document.lines[row_key].name
        else:
            known_line, line_name, name_suffix = None, line.name, 2
            while (line.railroad, fold(line_name)) in line_names:
                line_name, name_suffix = f"{line.name} {name_suffix}", name_suffix + 1
            line_names.add((line.railroad, fold(line_name)))
            row_key, last_rank = line_key(line.railroad, line_name, used_keys), last_rank + 1
        new_line = Line(
            railroad=line.railroad,
            name=line_name,
            file=station_file(line.railroad) if known_line is None else known_line.file,
            feature=line.feature,
            stops=line.stops,
            rank=last_rank if known_line is None else known_line.rank,
        )
        line_by_key[row_key] = known_line if known_line is not None and known_line == new_line else new_line
    return line_by_key


def _merge_places(document: RailDocument, bare: RailDocument, listed: TracedStationLists) -> dict[str, Place]:
    """Return the places of a document with those of the lists; notes of the author are preserved."""
    key_by_fold = {fold(key): key for key in bare.places}
    place_by_fold = {fold(key): (key, place_row) for key, place_row in document.places.items()}
    listed_by_fold = {fold(name): (name, place) for name, place in listed.places.items()}
    merged_places = {key: place_row for key, place_row in bare.places.items() if fold(key) not in listed_by_fold}
    last_rank = max((place_row.rank for place_row in document.places.values()), default=0.0)
    for key, (name, place) in listed_by_fold.items():
        kept_key = key_by_fold.get(key)
        _, old_place = place_by_fold.get(key, ("", None))
        if old_place is None:
            last_rank += 1
        place_note = bare.places[kept_key].note if kept_key is not None else place.note
        new_place = Place(
            lon=place.lon, lat=place.lat, note=place_note, rank=last_rank if old_place is None else old_place.rank
        )
        merged_places[kept_key or name] = old_place if old_place is not None and old_place == new_place else new_place
    return merged_places


def _merge_files(document: RailDocument, listed: TracedStationLists, only: Collection[str] | None) -> dict[str, File]:
    """Return the files of a document with the notes of placing; notes on other drawings are preserved."""
    all_notes = set(listed.notes)
    notes_file = document.files.get(NOTES)
    if notes_file is not None:
        earlier_notes = read_notes(base64.b64decode(notes_file.content).decode("utf-8", errors="replace"))
        preserved_notes = [
            note for note in earlier_notes if only is not None and note.feature.partition("#")[0] not in only
        ]
        all_notes |= {*preserved_notes, *(note for note in earlier_notes if note.what == KEPT)}
    merged_files = {path: file for path, file in document.files.items() if path != NOTES}
    if all_notes:
        new_notes_file = file_row(notes_text(sorted(all_notes, key=note_sort_key)).encode())
        merged_files[NOTES] = notes_file if notes_file is not None and notes_file == new_notes_file else new_notes_file
    return merged_files
