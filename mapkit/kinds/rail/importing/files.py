"""Import of files of lines into a source package, or a preview of it.

Geodata of any format becomes GeoJSON in degrees, one feature per line of text: it reads the same on every machine and
has readable differences. Drawings in pixels are copied unchanged, since control points refer to their pixels;
`drawings/mapping.csv` assigns their layers to railroads. Then the drawings are placed: their lines become rows of
station lists.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Final

import shapely

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import ChoiceError, SourceError, WorkspaceError, did_you_mean
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.core.names import fold, slug
from mapkit.core.outputs.filenames import case_key, compose_accents, is_there
from mapkit.core.plurals import join_some
from mapkit.document.changes import difference
from mapkit.document.importing import FileWriter, WrittenFiles, write_without_step
from mapkit.document.package import Files
from mapkit.document.plain_tables import TableReader
from mapkit.formats.files import decode_text, read_text
from mapkit.formats.lines.any_file import read_any, usable_options
from mapkit.formats.lines.crs_candidates import PIXELS
from mapkit.formats.lines.features import KEY_COLUMN, ImportOptions, chosen_flag
from mapkit.formats.lines.svg_text import layer_to_svg
from mapkit.formats.traced import TracedLayer
from mapkit.geography.region import parse_region, places_in
from mapkit.kinds.rail.editing.saving import plan_files
from mapkit.kinds.rail.importing.drawings import FOLDER, MAPPING, drawings_of, list_notes
from mapkit.kinds.rail.importing.earlier_packages import bring_files_over, package_files, read_for_placing
from mapkit.kinds.rail.importing.import_problems import locate_in_drawings
from mapkit.kinds.rail.importing.land_drawing import land_files
from mapkit.kinds.rail.importing.mapping import (
    HEADER,
    REST,
    FileMapping,
    choose_keys,
    line_railroads,
    mapped_options,
    point_railroads,
    read_mapping,
)
from mapkit.kinds.rail.importing.pixel_drawings import pixel_drawing
from mapkit.kinds.rail.importing.placing import add_kept_lines, apply_stage, drawn_source, place_again
from mapkit.kinds.rail.importing.placing_changes import placed_by_rule, placing_report
from mapkit.kinds.rail.importing.traced_files import (
    lay_on_plane,
    pinned_points,
    replace_marks_by_ids,
    traced_lines,
)
from mapkit.kinds.rail.model.import_report import ImportedFile, ImportedKey, ImportReport, PlacingReport
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import BoardConfig, PinnedPoint, SpacingConfig, TracedLine
from mapkit.kinds.rail.sources.config import FILE as CONFIG
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.package import read_railroads
from mapkit.kinds.rail.sources.stage_file import read_stage
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_drawings
from mapkit.kinds.rail.sources.table_files import RAILROADS
from mapkit.kinds.rail.tables import RailDocument, Railroad

COLOURS = (
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2", "#7f7f7f", "#bcbd22",
    "#0b3d91", "#8b0000", "#006400", "#4b0082", "#b8860b", "#008080", "#c71585", "#556b2f", "#4682b4", "#a0522d",
)  # fmt: skip
_DEGREE_DECIMALS = 7
_LARGEST_PLACES = 20
"""Places of a board's countries by which the CRS of a file is inferred before the board has cities."""
_USUAL_MILEPOSTS: Final = 60
_WIDEST_GAP_MI: Final = 40
_OWNER_COLUMN: Final = re.compile(
    "railroad|railway|owner|operator|company|carrier|ferrocarril|operador|propietari|compa\u00f1|empresa|ferrovia|societ"
    "|compagnie|exploitant|chemin|bahn(?!h)|gesellschaft|betreiber|spoorweg|maatschappij|kolej|j\u00e4rnv|jernban|rautatie"
    "|demiryol|\u0436\u0435\u043b\u0435\u0437\u043d|\u9244\u9053|\u94c1\u8def"
)
"""A part of the name, folded, of an attribute that may hold the railroad of a line."""


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """Settings of an import by the author.

    Attributes:
        options: Options for reading files.
        railroads: Railroad by key; an empty one omits its lines.
        new_railroads: Create a railroad for each unknown key.
        replace: Overwrite files of an earlier import.
        many: Allow more mileposts by rule than usual boards have.
        keep_topology: Keep lines and mileposts unchanged, without joining, spacing, repairs, or a copy of the drawing.
        dry_run: Write nothing; keys without a railroad are reported, not refused.
        write: Writes the files of the source package.
    """

    options: ImportOptions = field(default_factory=ImportOptions)
    railroads: Mapping[str, str] | None = None
    new_railroads: bool = False
    replace: bool = False
    many: bool = False
    keep_topology: bool = False
    dry_run: bool = False
    write: FileWriter = write_without_step


def import_files(files: Sequence[Path], *, into: Path | None, plan: ImportPlan) -> ImportReport:
    """Read files and, given a source package, write their lines into it, all or none.

    Args:
        files: Files of any readable format.
        into: The source package; with None, nothing is written.
        plan: Settings of the import.

    Raises:
        SourceError: A file is invalid, a key is not a railroad, or a file of this name exists already.
        WorkspaceError: A file or the source package is missing.
        OutputError: The package cannot be written; it is unchanged.
    """
    _refuse_twins(files)
    refuse_unused_options(files, plan.options)
    package_texts = _read_package_texts(into, new_railroads=plan.new_railroads)
    board_config = parse_config(package_texts[CONFIG]) if CONFIG in package_texts else None
    options = _options_of_board(plan.options, into, board_config)
    reader = TableReader(
        {file_name: package_texts[file_name] for file_name in (RAILROADS,) if file_name in package_texts}
    )
    railroads = read_railroads(reader)
    reader.raise_if_any(empty=plan.new_railroads)
    former_mappings = _read_former_mappings(files, into) if plan.replace else {}
    traced_layers = [
        _read_layer(path, options, former_mappings.get(path.name), railroads, plan.railroads or ()) for path in files
    ]
    plan = _with_former_keys(plan, traced_layers, former_mappings, railroads)
    _refuse_filters(traced_layers, options)
    if into is not None:
        _refuse_empty(traced_layers)
    added_railroads = _make_railroads(traced_layers, railroads, plan) if plan.new_railroads else {}
    railroads |= added_railroads
    imported_files = [_describe_file(layer, railroads, plan, options) for layer in traced_layers]
    _refuse_unused(plan, imported_files)
    file_problems = [problem for file in imported_files for problem in file.problems]
    if into is None or (file_problems and plan.dry_run):
        return ImportReport(files=tuple(imported_files))
    if file_problems:
        hint = "map keys with --map 'KEY=railroad', or make railroads of them with --new-railroads"
        raise SourceError([*file_problems, hint])
    package_data = package_files(into)
    current_files = bring_files_over(package_data)
    # Before the drawings, because placing needs a table with more than a header.
    railroad_files = (
        {RAILROADS: _append_railroads(package_texts[RAILROADS], added_railroads)} if added_railroads else {}
    )
    current_files = {**current_files, **railroad_files}
    if options.map_layers and board_config is not None:
        current_files |= land_files(current_files, traced_layers, board_config)
    if plan.keep_topology:
        placed_package = _keep_lines(current_files, traced_layers, railroads, plan, options)
    else:
        mapping_data = current_files.get(MAPPING)
        mapping_text = decode_text(mapping_data, name=MAPPING) if isinstance(mapping_data, bytes) else mapping_data
        new_files = _files_to_write(
            list(zip(files, traced_layers, strict=True)), railroads, plan, options, mapping_text
        )
        traced_layers.clear()  # they are large, and the files are read again
        for file_name in new_files:
            if file_name != MAPPING and file_name in current_files and not plan.replace:
                raise SourceError(f"{into / file_name} already exists; give --replace to overwrite it")
        new_drawings = frozenset(file_name for file_name in new_files if file_name != MAPPING)
        try:
            placed_package = _place_drawings(
                current_files, {**new_files, **railroad_files}, new_drawings, many=plan.many
            )
        except SourceError as error:
            raise locate_in_drawings(error, {file_name: new_files[file_name] for file_name in new_drawings}) from error
    changed_files = {
        file_name: data for file_name, data in placed_package.files.items() if package_data.get(file_name) != data
    }
    label = f"Import {join_some([path.name for path in files])}"
    outcome = WrittenFiles(is_step=False)
    if not plan.dry_run:
        outcome = _write_package(into, package_data, placed_package.files, label, plan.write)
    return ImportReport(
        files=tuple(imported_files),
        new_railroads=tuple(added_railroads),
        by_rule=placed_package.by_rule,
        suggested_gap_mi=None if plan.keep_topology else _suggest_gap(board_config, imported_files),
        notes=placed_package.notes,
        is_step=outcome.is_step,
        undo_obstacle=outcome.obstacle,
        written=() if plan.dry_run else tuple((into / file_name).as_posix() for file_name in sorted(changed_files)),
    )


def _suggest_gap(board_config: BoardConfig | None, files: Sequence[ImportedFile]) -> int | None:
    """Return a gap of mileposts, miles, if the board has none and the files have no points; otherwise None."""
    spacing = board_config.spacing if board_config is not None else SpacingConfig()
    has_gap = spacing.gap_mi or spacing.public_gap_mi or spacing.railroads or spacing.regions
    miles = sum(file.miles or 0.0 for file in files)
    if has_gap or miles <= 0 or any(file.points for file in files):
        return None
    return min(max(round(miles / _USUAL_MILEPOSTS), 1), _WIDEST_GAP_MI)


def _options_of_board(options: ImportOptions, into: Path | None, board_config: BoardConfig | None) -> ImportOptions:
    """Return options with what a board says of its files."""
    if board_config is not None:
        is_invented = board_config.projection.land_plane is not None
        options = replace(options, crs=options.crs or board_config.tracing.crs, map_layers=is_invented)
    if into is None:
        return options
    countries = board_config.gazetteer.countries if board_config is not None else ()
    return replace(options, find_places=partial(_known_places, into, countries))


def _known_places(folder: Path, countries: Sequence[str]) -> list[tuple[float, float]]:
    """Return the positions of the cities of a source package, else of the largest of its countries, in degrees."""
    cities: list[tuple[float, float]] = []
    with suppress(SourceError):  # reported when the lines are placed
        source = drawn_source(read_for_placing(bring_files_over(package_files(folder))), ())
        cities = [(city.lon, city.lat) for city in source.cities.values()]
    if cities or not countries:
        return cities
    largest_places = places_in(parse_region(",".join(countries)))[:_LARGEST_PLACES]
    return [(place.lon, place.lat) for place in largest_places]


def import_stage(
    path: Path, *, into: Path, dry_run: bool = False, write: FileWriter = write_without_step
) -> PlacingReport:
    """Import a tracing stage: the lines and mileposts of drawings become those of the stage.

    Args:
        path: Output of `mapkit trace BOARD --out`, edited or not.
        into: The source package of its board.
        dry_run: Only report the changes.
        write: Writes the files of the source package.

    Raises:
        SourceError: The file is not a stage of this board, or its lines cannot be placed.
        WorkspaceError: The file or the source package is missing; the same for OutputError.
    """
    package_data = package_files(into)
    current_files = bring_files_over(package_data)
    document = read_for_placing(current_files)
    stage_data = read_stage(path, board=slug(into.resolve().name), railroads=frozenset(document.railroads))
    edited_document = apply_stage(document, stage_data)
    report = placing_report(document, edited_document)
    if dry_run:
        return report
    file_plan = plan_files(edited_document, document, current_files)
    new_files = {
        file_name: data
        for file_name, data in {**current_files, **file_plan.write}.items()
        if file_name not in file_plan.remove
    }
    changed_files = {file_name: data for file_name, data in new_files.items() if package_data.get(file_name) != data}
    outcome = _write_package(into, package_data, new_files, f"Import {path.name}", write)
    return report.model_copy(
        update={
            "is_step": outcome.is_step,
            "undo_obstacle": outcome.obstacle,
            "written": tuple((into / file_name).as_posix() for file_name in sorted(changed_files)),
        }
    )


def _write_package(into: Path, old_files: Files, new_files: Files, label: str, write: FileWriter) -> WrittenFiles:
    """Write what has changed in a source package."""
    changed_files = {file_name: data for file_name, data in new_files.items() if old_files.get(file_name) != data}
    removed_files = [file_name for file_name in old_files if file_name not in new_files]
    return write(into, changed_files, remove=removed_files, label=label)


@dataclass(frozen=True)
class _PlacedPackage:
    """Files of a source package with its drawings placed, and the notes of placing."""

    files: Files
    notes: tuple[str, ...]
    by_rule: int


def _place_drawings(
    current_files: Files, contents: Mapping[str, str | bytes], new_drawings: frozenset[str], *, many: bool
) -> _PlacedPackage:
    """Place new drawings, together with all others if the lines of these were not edited.

    Raises:
        SourceError: A table is wrong, or the drawings cannot be placed.
    """
    old_document = read_for_placing(current_files)
    all_files = {**current_files, **contents}
    document = read_for_placing(all_files)
    other_drawings = [path for path in drawings_of(old_document) if path not in new_drawings]
    placed_drawings = new_drawings if other_drawings and _has_changed(old_document) else None
    placed_document = place_again(document, placed_drawings, waiting=True, many=many)
    plan = plan_files(placed_document, document, all_files)
    placing_notes = [
        note.message
        for note in list_notes(placed_document.files.items())
        if placed_drawings is None or _drawing_of_note(note) in new_drawings
    ]
    if placed_drawings is not None:
        placing_notes.append(
            f"lines of {', '.join(other_drawings)} were changed since they were placed: they stay, "
            "and the new lines are "
            "joined to them; mapkit import --again places all drawings again"
        )
    new_files = {
        file_name: data for file_name, data in {**all_files, **plan.write}.items() if file_name not in plan.remove
    }
    return _PlacedPackage(new_files, tuple(placing_notes), placed_by_rule(placed_document))


def _keep_lines(
    current_files: Files,
    layers: Sequence[TracedLayer],
    railroads: Mapping[str, Railroad],
    plan: ImportPlan,
    options: ImportOptions,
) -> _PlacedPackage:
    """Add lines and points without changes.

    Raises:
        SourceError: A table is wrong, or the lines cannot be placed.
    """
    document = read_for_placing(current_files)
    source = drawn_source(document, ())
    added_lines: list[TracedLine] = []
    added_points: list[PinnedPoint] = []
    railroad_names = {key: railroad.name for key, railroad in railroads.items()}
    for layer in layers:
        plane = source.config.projection.land_plane
        placed_layer = layer if plane is None else lay_on_plane(layer, plane)
        identified_layer = replace_marks_by_ids(placed_layer, railroads, mapped=plan.railroads or ())
        mapping = _file_mapping(identified_layer, railroads, plan, options)
        added_lines += traced_lines(identified_layer, line_railroads(identified_layer, railroad_names, mapping))
        added_points += pinned_points(identified_layer, point_railroads(identified_layer, railroad_names, mapping))
    swapped_notes = find_swapped_drawings((*added_lines, *added_points), source.cities.values())
    source_update = {
        "traced": tuple(added_lines),
        "pinned": tuple(added_points),
        "import_notes": (*source.import_notes, *swapped_notes),
    }
    source = source.model_copy(update=source_update)
    new_document = add_kept_lines(document, source)
    file_plan = plan_files(new_document, document, current_files)
    layer_files = {layer.file for layer in layers}
    placing_notes = tuple(
        note.message for note in list_notes(new_document.files.items()) if _drawing_of_note(note) in layer_files
    )
    new_files = {
        file_name: data
        for file_name, data in {**current_files, **file_plan.write}.items()
        if file_name not in file_plan.remove
    }
    return _PlacedPackage(new_files, placing_notes, placed_by_rule(new_document))


def _has_changed(document: RailDocument) -> bool:
    """Return whether placing the drawings again would change anything, or is impossible."""
    try:
        return bool(difference(document, place_again(document, waiting=True)))
    except SourceError:
        return True


def _drawing_of_note(note: TraceNote) -> str:
    return note.feature.partition("#")[0]


def _refuse_empty(layers: Sequence[TracedLayer]) -> None:
    problems: list[str] = []
    for layer in layers:
        if not len(layer.lines) and not len(layer.points) and not layer.map_shapes:
            problems += layer.notes or [f"{layer.file}: no line and no point in it; check what was exported"]
    if problems:
        raise SourceError(problems)


def _refuse_filters(layers: Sequence[TracedLayer], options: ImportOptions) -> None:
    for layer in layers:
        if layer.crs is None and (options.bbox is not None or options.where):
            raise ChoiceError(
                f"{layer.file}: a drawing is copied whole, so a box or conditions do not apply to it; leave them out, "
                "and map the keys of lines that you do not want to nothing (KEY=)"
            )


def refuse_unused_options(files: Sequence[Path], options: ImportOptions) -> None:
    """Raise a ChoiceError if one of the author's options has an effect on none of the files."""
    unused_flags = {option.name: flag for option in fields(options) if (flag := chosen_flag(options, option.name))}
    if not unused_flags:
        return
    kinds: dict[str, str] = {}
    for path in files:
        kinds[path.name], usable_names = usable_options(path)
        unused_flags = {name: flag for name, flag in unused_flags.items() if name not in usable_names}
    if unused_flags:
        described_files = join_some(f"{name} ({kind})" for name, kind in kinds.items())
        verb, object_word = ("has", "it") if len(unused_flags) == 1 else ("have", "them")
        raise ChoiceError(
            f"{join_some(unused_flags.values())} {verb} no effect on {described_files}; leave {object_word} out"
        )


def _refuse_twins(files: Sequence[Path]) -> None:
    name_counts = Counter(case_key(path.stem) for path in files)
    for path in files:
        if name_counts[case_key(path.stem)] > 1:
            raise SourceError(f"{path.name}: two files of this name; rename one, or import them one after the other")


def _read_package_texts(into: Path | None, *, new_railroads: bool) -> dict[str, str]:
    if into is None:
        return {}
    if not is_there(into / CONFIG):
        raise WorkspaceError(f"{into}: no {CONFIG} there; start a source package with mapkit new")
    package_texts = {CONFIG: read_text(into / CONFIG, name=CONFIG)}
    if not is_there(into / RAILROADS):
        if not new_railroads:
            raise SourceError(f"{RAILROADS}: the board has no railroads yet; --new-railroads makes one of each key")
        return package_texts | {RAILROADS: ",".join(("id", *Railroad.model_fields)).replace(",rank", "") + "\n"}
    return package_texts | {RAILROADS: read_text(into / RAILROADS, name=RAILROADS)}


def _read_former_mappings(files: Sequence[Path], into: Path | None) -> dict[str, FileMapping]:
    """Return the mappings that earlier imports of these files wrote."""
    if into is None or not is_there(into / MAPPING):
        return {}
    mapping_by_file = read_mapping(read_text(into / MAPPING, name=MAPPING), file=MAPPING)
    return {path.name: mapping_by_file[path.name] for path in files if path.name in mapping_by_file}


def _read_layer(
    path: Path,
    options: ImportOptions,
    former: FileMapping | None,
    railroads: Mapping[str, Railroad],
    mapped: Iterable[str],
) -> TracedLayer:
    # Options with the keys of an earlier import, unless the author chose keys now
    is_default = options.column is None and options.key_from == ImportOptions().key_from
    layer = read_any(path, name=path.name, options=mapped_options(options, former) if is_default else options)
    return choose_keys(layer, railroads, mapped={*mapped, *(former.railroads if former else ())})


def _with_former_keys(
    plan: ImportPlan,
    layers: Sequence[TracedLayer],
    mappings: Mapping[str, FileMapping],
    railroads: Mapping[str, Railroad],
) -> ImportPlan:
    """Return a plan that also maps the keys of the files that an earlier import mapped."""
    former_railroads = {
        key: railroad or ""
        for layer in layers
        for key, railroad in (mappings[layer.file].railroads.items() if layer.file in mappings else ())
        if (key == REST or key in layer.line_keys) and (railroad is None or railroad in railroads)
    }
    return replace(plan, railroads={**former_railroads, **(plan.railroads or {})}) if former_railroads else plan


def _file_mapping(
    layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> FileMapping | None:
    """Return the mapping of keys to railroads; unmapped keys mean the id, mark or name of a railroad."""
    if not plan.railroads:
        return None
    all_keys = dict.fromkeys((*layer.line_keys, *(key for owner_keys in layer.owners for key in owner_keys)))
    railroad_of = _railroad_lookup(plan.railroads, railroads)
    railroad_by_key = {key: railroad_of(key) or None for key in all_keys}
    return FileMapping(by=_key_source(layer, options), column=options.column, railroads=railroad_by_key, where="--map")


def _railroad_lookup(named: Mapping[str, str], railroads: Mapping[str, Railroad]) -> Callable[[str], str]:
    """Return a function from key to railroad: the mapped one, its own, or that of `*`; empty for none."""
    own_lookup, known_ids = _own_railroad_lookup(railroads), railroads.keys()

    def railroad_of(key: str) -> str:
        if key in named:
            return named[key]
        railroad_id = own_lookup(key)
        return named[REST] if REST in named and railroad_id not in known_ids else railroad_id

    return railroad_of


def _own_railroad_lookup(railroads: Mapping[str, Railroad]) -> Callable[[str], str]:
    """Return a function from an id, mark or name to the railroad's id; other keys are returned unchanged."""
    id_by_fold: dict[str, str | None] = {}
    for key, railroad in railroads.items():
        for folded_text in {fold(key), fold(railroad.name)}:
            id_by_fold[folded_text] = key if id_by_fold.get(folded_text, key) == key else None
    id_by_text = {folded_text: key for key, railroad in railroads.items() for folded_text in (railroad.short, key)}
    return lambda key: id_by_text.get(key) or id_by_fold.get(fold(key)) or key


def _key_source(layer: TracedLayer, options: ImportOptions) -> str:
    if layer.file.lower().endswith((".svg", ".svgz")):
        return options.key_from
    return f"column:{options.column or 'railroad'}"


def _describe_file(
    layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> ImportedFile:
    """Return the contents of a file and its railroads."""
    key_counts = Counter(layer.line_keys)
    railroad_names = {key: railroad.name for key, railroad in railroads.items()}
    identified_layer = replace_marks_by_ids(layer, railroads, mapped=plan.railroads or ())
    mapping = _file_mapping(identified_layer, railroads, plan, options)
    railroad_by_key: dict[str, str | None] = {}
    problems: list[str] = []
    try:
        railroad_ids = line_railroads(identified_layer, railroad_names, mapping)
        railroad_by_key = dict(zip(layer.line_keys, railroad_ids, strict=True))
        point_railroads(identified_layer, railroad_names, mapping)
    except SourceError as error:
        problems = list(error.problems) if railroad_names else []
        railroad_of = _railroad_lookup(plan.railroads or {}, railroads)
        railroad_by_key = {key: railroad for key in key_counts if (railroad := railroad_of(key)) in railroads}
    is_pixels = layer.crs is None
    return ImportedFile(
        file=layer.file,
        pixels=is_pixels,
        invented=options.map_layers,
        lines=len(layer.lines),
        vertices=int(shapely.get_num_coordinates(layer.lines).sum()),
        miles=None if is_pixels else round(_total_miles(layer), 1),
        points=len(layer.points),
        named_points=sum(bool(name) for name in layer.point_names),
        columns=layer.columns,
        keys=tuple(
            ImportedKey(key=key, lines=key_counts[key], railroad=railroad_by_key.get(key)) for key in sorted(key_counts)
        ),
        notes=(*layer.notes, *layer.guesses, *_suggest_column(layer, options)),
        problems=tuple(problems),
        extent=pixel_drawing(layer).extent if is_pixels else None,
    )


def _suggest_column(layer: TracedLayer, options: ImportOptions) -> list[str]:
    """Return a note of the attribute that may name the railroads, where the lines took theirs from the layer."""
    if options.column or len(set(layer.line_keys)) != 1 or KEY_COLUMN in (name.casefold() for name in layer.columns):
        return []
    owner_columns = [name for name in layer.columns if _OWNER_COLUMN.search(name.casefold())]
    return [
        f"{layer.file}: no attribute {KEY_COLUMN!r}, so all lines are of one railroad; "
        f"if {name!r} names the railroads, add --column {name!r}"
        for name in owner_columns[:1]
    ]


def _total_miles(layer: TracedLayer) -> float:
    """Return the geodesic length of all lines."""
    return float(sum(geod().geometry_length(line) for line in layer.lines)) / METRES_PER_MILE


def _make_railroads(
    layers: Sequence[TracedLayer], railroads: Mapping[str, Railroad], plan: ImportPlan
) -> dict[str, Railroad]:
    """Return a railroad for each unknown key, with a price of 0 for the author to fill in."""
    new_railroads: dict[str, Railroad] = {}
    if plan.railroads and REST in plan.railroads:
        return new_railroads  # every key has a railroad
    railroad_names = {key: railroad.name for key, railroad in railroads.items()}
    used_marks = {railroad.short for railroad in railroads.values()}
    used_colours = {railroad.colour for railroad in railroads.values()}
    free_colours = [colour for colour in COLOURS if colour not in used_colours] or COLOURS
    for key in sorted({key for layer in layers for key in layer.line_keys}):
        if not key or (plan.railroads and key in plan.railroads) or key in used_marks or _is_known(key, railroad_names):
            continue
        railroad_id = slug(key)
        if not railroad_id:
            key_file = next(layer.file for layer in layers if key in layer.line_keys)
            raise SourceError(f"{key_file}: key {key!r} cannot become an id for a railroad; map it with --map")
        reporting_mark = _reporting_mark(key, used_marks)
        colour = free_colours[len(new_railroads) % len(free_colours)]
        new_railroads[railroad_id] = Railroad(
            name=key, short=reporting_mark, price=0, public=False, colour=colour, pattern="solid"
        )
        railroad_names[railroad_id] = key
        used_marks.add(reporting_mark)
    return new_railroads


def _is_known(key: str, railroad_names: dict[str, str]) -> bool:
    known_slugs = {slug(id_or_name) for pair in railroad_names.items() for id_or_name in pair}
    return slug(key) in known_slugs


def _reporting_mark(name: str, used_marks: set[str]) -> str:
    """Return a reporting mark: a short name itself, else its initials, numbered if they exist already."""
    name_words = [
        word for word in slug(name).split("-") if word not in ("and", "de", "do", "da", "of", "the", "y", "e")
    ]
    plain_name = name.replace(" ", "").upper()
    base_mark = plain_name if len(plain_name) <= 5 else "".join(word[0] for word in name_words[:5]).upper()  # noqa: PLR2004 - as marks are
    candidate_marks = (base_mark, *(f"{base_mark}{n}" for n in range(2, 1000)))
    return next(candidate_mark for candidate_mark in candidate_marks if candidate_mark not in used_marks)


def _append_railroads(text: str, added: Mapping[str, Railroad]) -> str:
    column_names = next(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    output = io.StringIO()
    csv_writer = csv.DictWriter(output, [name.strip() for name in column_names], restval="", lineterminator="\n")
    for key, railroad in added.items():
        public_text = str(railroad.public).lower()
        csv_writer.writerow({"id": key, **railroad.model_dump(exclude={"rank"}), "public": public_text})
    return text.rstrip("\r\n") + "\n" + output.getvalue()


def _files_to_write(
    read_layers: Sequence[tuple[Path, TracedLayer]],
    railroads: Mapping[str, Railroad],
    plan: ImportPlan,
    options: ImportOptions,
    mapping_text: str | None,
) -> dict[str, str | bytes]:
    """Return the files to write, by their names in the source package."""
    new_files: dict[str, str | bytes] = {}
    mapping_rows: list[tuple[str, str, str, str]] = []
    for path, layer in read_layers:
        stem = compose_accents(path.stem)
        if layer.crs is None:
            file_name, file_data, read_options = compose_accents(path.name), path.read_bytes(), options
            # Write the lines, since a drawing of outlines would be read as outlines again, and geodata as degrees.
            if options.centre_lines or options.crs == PIXELS:
                file_name, file_data, read_options = (
                    f"{stem}.svg",
                    layer_to_svg(layer).encode(),
                    replace(options, key_from="auto"),
                )
            new_files[f"{FOLDER}/{file_name}"] = file_data
            mapping_rows += _mapping_rows(file_name, layer, railroads, plan, read_options)
        else:
            new_files[f"{FOLDER}/{stem}.geojson"] = _layer_geojson(layer, railroads, plan, options).encode()
    if mapping_rows:
        new_files[MAPPING] = _replace_mapping_rows(mapping_text, mapping_rows).encode()
    return new_files


def _mapping_rows(
    name: str, layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> list[tuple[str, str, str, str]]:
    """Return the mapping rows that reproduce the present reading of a drawing."""
    key_source = _key_source(layer, options)
    if not plan.railroads and key_source in ("auto", "column:railroad"):
        return []
    railroad_by_key = plan.railroads or {}
    railroad_of = _railroad_lookup(railroad_by_key, railroads)
    mapped_keys = sorted(key for key in set(layer.line_keys) if key or key in railroad_by_key)
    if REST in railroad_by_key:
        mapped_keys = [
            *(key for key in mapped_keys if key in railroad_by_key or railroad_of(key) != railroad_by_key[REST]),
            REST,
        ]
    return [(name, key_source, key, railroad_of(key)) for key in mapped_keys]


def _replace_mapping_rows(text: str | None, rows: Sequence[tuple[str, str, str, str]]) -> str:
    """Return `mapping.csv` with the rows of these files replaced."""
    replaced_files = {file_name for file_name, *_ in rows}
    table_rows: list[Sequence[str]] = [HEADER]
    if text is not None:
        read_mapping(text, file=MAPPING)
        existing_rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
        table_rows += [
            [row[column_name] for column_name in HEADER] for row in existing_rows if row["file"] not in replaced_files
        ]
    return csv_text([*table_rows, *rows])


def _layer_geojson(
    layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> str:
    """Return a layer in degrees as GeoJSON, one feature per line."""
    railroad_names = {key: railroad.name for key, railroad in railroads.items()}
    identified_layer = replace_marks_by_ids(layer, railroads, mapped=plan.railroads or ())
    mapping = _file_mapping(identified_layer, railroads, plan, options)
    railroad_ids = line_railroads(identified_layer, railroad_names, mapping)
    point_owners = point_railroads(identified_layer, railroad_names, mapping)
    feature_texts: list[str] = []
    for line, railroad, level, feature in zip(
        layer.lines, railroad_ids, layer.levels, layer.line_features, strict=True
    ):
        if railroad is not None:
            level_property = {"level": level} if level else {}
            feature_texts.append(_geojson_feature(line, {"railroad": railroad, **level_property, "source": feature}))
    for point, point_name, stop_railroads, feature in zip(
        layer.points, layer.point_names, point_owners, layer.point_features, strict=True
    ):
        if stop_railroads is not None:
            railroad_property = {"railroads": ";".join(stop_railroads)} if stop_railroads else {}
            feature_texts.append(_geojson_feature(point, {"name": point_name, **railroad_property, "source": feature}))
    # Kept beside the lines, so that placing again reports what this import could not take until it is imported anew.
    lost = [note for note in layer.notes if "left out" in note]
    lost_member = f'"mapkit_left_out":{json.dumps(lost, ensure_ascii=False)},' if lost else ""
    return f'{{"type":"FeatureCollection",{lost_member}"features":[\n' + ",\n".join(feature_texts) + "\n]}\n"


def _geojson_feature(shape: shapely.Geometry, properties: Mapping[str, object]) -> str:
    coordinates = [
        [round(x, _DEGREE_DECIMALS), round(y, _DEGREE_DECIMALS)] for x, y in shapely.get_coordinates(shape).tolist()
    ]
    is_point = shapely.get_type_id(shape) == 0
    geometry = {
        "type": "Point" if is_point else "LineString",
        "coordinates": coordinates[0] if is_point else coordinates,
    }
    feature = {"type": "Feature", "properties": properties, "geometry": geometry}
    return json.dumps(feature, ensure_ascii=False, separators=(",", ":"))


def _refuse_unused(plan: ImportPlan, files: Sequence[ImportedFile]) -> None:
    line_keys = {key.key for file in files for key in file.keys}
    for key in sorted(plan.railroads or {}):
        if key not in line_keys and key != REST:
            raise ChoiceError(f"--map {key!r}: no line has this key{did_you_mean(key, line_keys)}")


def parse_map(texts: Sequence[str]) -> dict[str, str]:
    """Return railroads by key from texts such as `S.P.=sp`; `KEY=` omits lines, `*` means all other keys.

    Lines without a key have the empty key: `=sp`.

    Raises:
        ChoiceError: A text has no `=`, or a key appears twice.
    """
    railroad_by_key: dict[str, str] = {}
    for text in texts:
        key, equals_sign, railroad = text.rpartition("=")
        if not equals_sign:
            raise ChoiceError(f"--map {text!r}: write KEY=RAILROAD, or KEY= to leave its lines out")
        if key.strip() in railroad_by_key:
            raise ChoiceError(f"--map {text!r}: the key {key.strip()!r} is given twice")
        railroad_by_key[key.strip()] = railroad.strip()
    return railroad_by_key
