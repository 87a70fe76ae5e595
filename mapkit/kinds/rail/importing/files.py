"""Files of lines are taken into a source package, or only looked at.

Geodata is written as GeoJSON in degrees, one feature a line of text, whatever it was before: it reads the same on every
machine and shows what changed. Drawings in pixels are copied as they are, since control points belong to their pixels;
which layer is which railroad then stands in `drawings/mapping.csv`. Then the drawings are placed: their lines become
rows of station lists.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import shapely

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError, WorkspaceError, did_you_mean
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.core.names import fold, slug
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import composed, is_there, one_name
from mapkit.document.changes import difference
from mapkit.document.package import Files
from mapkit.document.plain import TableReader
from mapkit.formats.files import decoded, read_text
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.svg_text import svg_text
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.editing.saving import plan_files
from mapkit.kinds.rail.importing.drawings import FOLDER, MAPPING, drawings_of, notes_of
from mapkit.kinds.rail.importing.import_problems import locate_in_drawings
from mapkit.kinds.rail.importing.mapping import HEADER, REST, FileMapping, line_railroads, point_railroads, read_mapping
from mapkit.kinds.rail.importing.older import brought_over, package_files, read_for_placing
from mapkit.kinds.rail.importing.pixel_drawings import pixel_drawing
from mapkit.kinds.rail.importing.placing import drawn_source, place_again, with_kept, with_stage
from mapkit.kinds.rail.importing.report import placed_by_rule, placing_report
from mapkit.kinds.rail.importing.traced_files import pinned_points, traced_lines, with_ids
from mapkit.kinds.rail.model.import_report import ImportedFile, ImportedKey, ImportReport, PlacingReport
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
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
_DECIMALS = 7


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """What the author asks for.

    Attributes:
        options: How files are read.
        railroads: Railroad of a key, by key; empty leaves its lines out.
        new_railroads: Make a railroad of every key that names no railroad yet.
        replace: Write over files of an earlier import.
        many: Place more mileposts by rule than boards have.
        keep_topology: Take lines and mileposts as they are: nothing is joined, spaced or repaired, no drawing kept.
    """

    options: ImportOptions = field(default_factory=ImportOptions)
    railroads: Mapping[str, str] | None = None
    new_railroads: bool = False
    replace: bool = False
    many: bool = False
    keep_topology: bool = False


def import_files(files: Sequence[Path], *, into: Path | None, plan: ImportPlan) -> ImportReport:
    """Read files; with a source package, write their lines into it, all or none.

    Args:
        files: Of any format that mapkit reads.
        into: The source package; None only looks.
        plan: How.

    Raises:
        SourceError: A file cannot be used, a key is not a railroad, or a file of this name is there already.
        WorkspaceError: A file or the source package is missing.
        OutputError: The package cannot be written; it is as it was.
    """
    _refuse_twins(files)
    texts = _package_texts(into)
    config = parse_config(texts[CONFIG]) if CONFIG in texts else None
    options = plan.options
    if options.crs is None and config is not None:
        options = replace(options, crs=config.tracing.crs)
    reader = TableReader({name: texts[name] for name in (RAILROADS,) if name in texts})
    railroads = read_railroads(reader)
    reader.raise_if_any(empty=plan.new_railroads)
    layers = [read_any(path, name=path.name, options=options) for path in files]
    _refuse_filters(layers, options)
    empty = [note for layer in layers if not len(layer.lines) and not len(layer.points) for note in layer.notes]
    if into is not None and empty:
        raise SourceError(empty)
    added = _new_railroads(layers, railroads, plan) if plan.new_railroads else {}
    railroads |= added
    found = [_look(layer, railroads, plan, options) for layer in layers]
    _refuse_unused(plan, found)
    problems = [problem for file in found for problem in file.problems]
    if into is None:
        return ImportReport(files=tuple(found))
    if problems:
        hint = "map keys with --map 'KEY=railroad', or make railroads of them with --new-railroads"
        raise SourceError([*problems, hint])
    present = package_files(into)
    before = brought_over(present)
    # Before the drawings: a file with a header alone is not a table to place them by.
    rows = {RAILROADS: _with_railroads(texts[RAILROADS], added)} if added else {}
    before = {**before, **rows}
    if plan.keep_topology:
        placed = _kept(before, layers, railroads, plan, options)
    else:
        read = list(zip(files, layers, strict=True))
        mapping = before.get(MAPPING)
        text = decoded(mapping, name=MAPPING) if isinstance(mapping, bytes) else mapping
        contents = _contents(read, railroads, plan, options, text)
        for name in contents:
            if name != MAPPING and name in before and not plan.replace:
                raise SourceError(f"{into / name} already exists; give --replace to overwrite it")
        new = frozenset(name for name in contents if name != MAPPING)
        try:
            placed = _placed(before, {**contents, **rows}, new, many=plan.many)
        except SourceError as error:
            raise locate_in_drawings(error, {name: contents[name] for name in new}) from error
    write = {name: data for name, data in placed.files.items() if present.get(name) != data}
    write_files(into, write, remove=[name for name in present if name not in placed.files])
    return ImportReport(
        files=tuple(found),
        new_railroads=tuple(added),
        by_rule=placed.by_rule,
        notes=placed.notes,
        written=tuple((into / name).as_posix() for name in sorted(write)),
    )


def import_stage(path: Path, *, into: Path, dry_run: bool = False) -> PlacingReport:
    """Take the lines and mileposts of a stage of tracing back: those of the drawings become as the stage has them.

    Args:
        path: What `mapkit trace BOARD --out` wrote, edited or not.
        into: The source package of the board that it is of.
        dry_run: Only say what it would change.

    Raises:
        SourceError: The file is not a stage of this board, or its lines cannot be placed.
        WorkspaceError: The file or the source package is missing; likewise OutputError.
    """
    present = package_files(into)
    before = brought_over(present)
    document = read_for_placing(before)
    start = read_stage(path, board=slug(into.resolve().name), railroads=frozenset(document.railroads))
    after = with_stage(document, start)
    report = placing_report(document, after)
    if dry_run:
        return report
    planned = plan_files(after, document, before)
    files = {name: data for name, data in {**before, **planned.write}.items() if name not in planned.remove}
    write = {name: data for name, data in files.items() if present.get(name) != data}
    write_files(into, write, remove=[name for name in present if name not in files])
    return report.model_copy(update={"written": tuple((into / name).as_posix() for name in sorted(write))})


@dataclass(frozen=True)
class _Placed:
    """The files of a source package with its drawings placed, and what placing has to say."""

    files: Files
    notes: tuple[str, ...]
    by_rule: int


def _placed(before: Files, contents: Mapping[str, str | bytes], new: frozenset[str], *, many: bool) -> _Placed:
    """Place new drawings, with all others if nobody changed the lines that these gave.

    Raises:
        SourceError: A table is wrong, or the drawings cannot be placed.
    """
    old = read_for_placing(before)
    files = {**before, **contents}
    document = read_for_placing(files)
    others = [path for path in drawings_of(old) if path not in new]
    only = new if others and _changed(old) else None
    placed = place_again(document, only, waiting=True, many=many)
    plan = plan_files(placed, document, files)
    notes = [note.message for note in notes_of(placed.files.items()) if only is None or _drawing(note) in new]
    if only is not None:
        notes.append(
            f"lines of {', '.join(others)} were changed since they were placed: they stay, and the new lines are "
            "joined to them; mapkit import --again places all drawings again"
        )
    after = {name: data for name, data in {**files, **plan.write}.items() if name not in plan.remove}
    return _Placed(after, tuple(notes), placed_by_rule(placed))


def _kept(
    before: Files,
    layers: Sequence[TracedLayer],
    railroads: Mapping[str, Railroad],
    plan: ImportPlan,
    options: ImportOptions,
) -> _Placed:
    """Add lines and points as they are.

    Raises:
        SourceError: A table is wrong, or the lines cannot be placed.
    """
    document = read_for_placing(before)
    source = drawn_source(document, ())
    lines: list[TracedLine] = []
    points: list[PinnedPoint] = []
    known = {key: railroad.name for key, railroad in railroads.items()}
    for layer in layers:
        own = with_ids(layer, railroads, mapped=plan.railroads or ())
        mapping = _mapping(own, railroads, plan, options)
        lines += traced_lines(own, line_railroads(own, known, mapping))
        points += pinned_points(own, point_railroads(own, known, mapping))
    swapped = find_swapped_drawings((*lines, *points), source.cities.values())
    changed = {"traced": tuple(lines), "pinned": tuple(points), "import_notes": (*source.import_notes, *swapped)}
    source = source.model_copy(update=changed)
    after = with_kept(document, source)
    written = plan_files(after, document, before)
    names = {layer.file for layer in layers}
    notes = tuple(note.message for note in notes_of(after.files.items()) if _drawing(note) in names)
    files = {name: data for name, data in {**before, **written.write}.items() if name not in written.remove}
    return _Placed(files, notes, placed_by_rule(after))


def _changed(document: RailDocument) -> bool:
    """Return whether placing the drawings again would change anything; it would where it cannot be done."""
    try:
        return bool(difference(document, place_again(document, waiting=True)))
    except SourceError:
        return True


def _drawing(note: TraceNote) -> str:
    return note.feature.partition("#")[0]


def _refuse_filters(layers: Sequence[TracedLayer], options: ImportOptions) -> None:
    for layer in layers:
        if layer.crs is None and (options.bbox is not None or options.where):
            raise SourceError(
                f"{layer.file}: a drawing is copied whole, so a box or conditions do not apply to it; leave them out, "
                "and map the keys of lines that you do not want to nothing (KEY=)"
            )


def _refuse_twins(files: Sequence[Path]) -> None:
    names = Counter(one_name(path.stem) for path in files)
    for path in files:
        if names[one_name(path.stem)] > 1:
            raise SourceError(f"{path.name}: two files of this name; rename one, or import them one after the other")


def _package_texts(into: Path | None) -> dict[str, str]:
    if into is None:
        return {}
    if not is_there(into / CONFIG):
        raise WorkspaceError(f"{into}: no {CONFIG} there; start a source package with mapkit new")
    names = [CONFIG, RAILROADS]
    return {name: read_text(into / name, name=name) for name in names}


def _mapping(
    layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> FileMapping | None:
    """Return what the author's keys mean, those not named being railroads by their own id, mark or name."""
    if not plan.railroads:
        return None
    keys = dict.fromkeys((*layer.line_keys, *(key for keys in layer.owners for key in keys)))
    railroad_of = _mapped(plan.railroads, railroads)
    named = {key: railroad_of(key) or None for key in keys}
    return FileMapping(by=_by(layer, options), column=options.column, railroads=named, where="--map")


def _mapped(named: Mapping[str, str], railroads: Mapping[str, Railroad]) -> Callable[[str], str]:
    """Return what gives the railroad of a key: as mapped, else its own, else what `*` is mapped to; empty for none."""
    own, known = _own_railroads(railroads), railroads.keys()

    def railroad_of(key: str) -> str:
        if key in named:
            return named[key]
        ident = own(key)
        return named[REST] if REST in named and ident not in known else ident

    return railroad_of


def _own_railroads(railroads: Mapping[str, Railroad]) -> Callable[[str], str]:
    """Return what gives the id of the railroad that a key is the id, mark or name of; other keys stay as they are."""
    ids: dict[str, str | None] = {}
    for key, railroad in railroads.items():
        for text in {fold(key), fold(railroad.name)}:
            ids[text] = key if ids.get(text, key) == key else None
    exact = {text: key for key, railroad in railroads.items() for text in (railroad.short, key)}
    return lambda key: exact.get(key) or ids.get(fold(key)) or key


def _by(layer: TracedLayer, options: ImportOptions) -> str:
    if layer.file.lower().endswith((".svg", ".svgz")):
        return options.key_from
    return f"column:{options.column or 'railroad'}"


def _look(
    layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> ImportedFile:
    """Return what a file holds, and of which railroads it is."""
    counts = Counter(layer.line_keys)
    known = {key: railroad.name for key, railroad in railroads.items()}
    own = with_ids(layer, railroads, mapped=plan.railroads or ())
    mapping = _mapping(own, railroads, plan, options)
    of_key: dict[str, str | None] = {}
    problems: list[str] = []
    try:
        ids = line_railroads(own, known, mapping)
        of_key = dict(zip(layer.line_keys, ids, strict=True))
        point_railroads(own, known, mapping)
    except SourceError as error:
        problems = list(error.problems) if known else []
    pixels = layer.crs is None
    return ImportedFile(
        file=layer.file,
        pixels=pixels,
        lines=len(layer.lines),
        vertices=int(shapely.get_num_coordinates(layer.lines).sum()),
        miles=None if pixels else round(_miles(layer), 1),
        points=len(layer.points),
        named_points=sum(bool(name) for name in layer.point_names),
        columns=layer.columns,
        keys=tuple(ImportedKey(key=key, lines=counts[key], railroad=of_key.get(key)) for key in sorted(counts)),
        notes=layer.notes,
        problems=tuple(problems),
        extent=pixel_drawing(layer).extent if pixels else None,
    )


def _miles(layer: TracedLayer) -> float:
    """Return the geodesic length of all lines."""
    return float(sum(geod().geometry_length(line) for line in layer.lines)) / METRES_PER_MILE


def _new_railroads(
    layers: Sequence[TracedLayer], railroads: Mapping[str, Railroad], plan: ImportPlan
) -> dict[str, Railroad]:
    """Return a railroad for every key that names no railroad, with a price of 0 for the author to fill in."""
    out: dict[str, Railroad] = {}
    if plan.railroads and REST in plan.railroads:
        return out  # every key has its railroad
    known = {key: railroad.name for key, railroad in railroads.items()}
    shorts = {railroad.short for railroad in railroads.values()}
    used = {railroad.colour for railroad in railroads.values()}
    colours = [colour for colour in COLOURS if colour not in used] or COLOURS
    for key in sorted({key for layer in layers for key in layer.line_keys}):
        if not key or (plan.railroads and key in plan.railroads) or key in shorts or _is_known(key, known):
            continue
        ident = slug(key)
        if not ident:
            file = next(layer.file for layer in layers if key in layer.line_keys)
            raise SourceError(f"{file}: key {key!r} cannot become an id for a railroad; map it with --map")
        short = _short(key, shorts)
        colour = colours[len(out) % len(colours)]
        out[ident] = Railroad(name=key, short=short, price=0, public=False, colour=colour, pattern="solid")
        known[ident] = key
        shorts.add(short)
    return out


def _is_known(key: str, known: dict[str, str]) -> bool:
    ids = {slug(text) for pair in known.items() for text in pair}
    return slug(key) in ids


def _short(name: str, taken: set[str]) -> str:
    """Return a reporting mark: the name if it is short, else its initials, with a number if they are taken."""
    words = [word for word in slug(name).split("-") if word not in ("and", "de", "do", "da", "of", "the", "y", "e")]
    plain = name.replace(" ", "").upper()
    base = plain if len(plain) <= 5 else "".join(word[0] for word in words[:5]).upper()  # noqa: PLR2004 - as marks are
    choices = (base, *(f"{base}{n}" for n in range(2, 1000)))
    return next(choice for choice in choices if choice not in taken)


def _with_railroads(text: str, added: Mapping[str, Railroad]) -> str:
    header = next(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    out = io.StringIO()
    writer = csv.DictWriter(out, [name.strip() for name in header], restval="", lineterminator="\n")
    for key, railroad in added.items():
        public = str(railroad.public).lower()
        writer.writerow({"id": key, **railroad.model_dump(exclude={"rank"}), "public": public})
    return text.rstrip("\r\n") + "\n" + out.getvalue()


def _contents(
    read: Sequence[tuple[Path, TracedLayer]],
    railroads: Mapping[str, Railroad],
    plan: ImportPlan,
    options: ImportOptions,
    mapping_text: str | None,
) -> dict[str, str | bytes]:
    """Return the files to write, by their names in the source package."""
    out: dict[str, str | bytes] = {}
    rows: list[tuple[str, str, str, str]] = []
    for path, layer in read:
        stem = composed(path.stem)
        if layer.crs is None:
            name, data, how = composed(path.name), path.read_bytes(), options
            if options.centre_lines:  # the lines themselves: a drawing of outlines would be read as one again
                name, data, how = f"{stem}.svg", svg_text(layer).encode(), replace(options, key_from="auto")
            out[f"{FOLDER}/{name}"] = data
            rows += _mapping_rows(name, layer, railroads, plan, how)
        else:
            out[f"{FOLDER}/{stem}.geojson"] = _geojson(layer, railroads, plan, options).encode()
    if rows:
        out[MAPPING] = _with_rows(mapping_text, rows).encode()
    return out


def _mapping_rows(
    name: str, layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions
) -> list[tuple[str, str, str, str]]:
    """Return the rows that a drawing needs to be read again as it was now."""
    by = _by(layer, options)
    if not plan.railroads and by in ("auto", "column:railroad"):
        return []
    named = plan.railroads or {}
    railroad_of = _mapped(named, railroads)
    keys = sorted(key for key in set(layer.line_keys) if key)
    if REST in named:
        keys = [*(key for key in keys if key in named or railroad_of(key) != named[REST]), REST]
    return [(name, by, key, railroad_of(key)) for key in keys]


def _with_rows(text: str | None, rows: Sequence[tuple[str, str, str, str]]) -> str:
    """Return `mapping.csv` with the rows of these files instead of those that it had for them."""
    replaced = {name for name, *_ in rows}
    table: list[Sequence[str]] = [HEADER]
    if text is not None:
        read_mapping(text, file=MAPPING)
        kept = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
        table += [[row[name] for name in HEADER] for row in kept if row["file"] not in replaced]
    return csv_text([*table, *rows])


def _geojson(layer: TracedLayer, railroads: Mapping[str, Railroad], plan: ImportPlan, options: ImportOptions) -> str:
    """Return a layer in degrees as GeoJSON, a feature a line."""
    known = {key: railroad.name for key, railroad in railroads.items()}
    own = with_ids(layer, railroads, mapped=plan.railroads or ())
    mapping = _mapping(own, railroads, plan, options)
    ids = line_railroads(own, known, mapping)
    owners = point_railroads(own, known, mapping)
    features: list[str] = []
    for line, railroad, level, feature in zip(layer.lines, ids, layer.levels, layer.line_features, strict=True):
        if railroad is not None:
            level_said = {"level": level} if level else {}
            features.append(_feature(line, {"railroad": railroad, **level_said, "source": feature}))
    for point, name, stops, feature in zip(layer.points, layer.point_names, owners, layer.point_features, strict=True):
        if stops is not None:
            whose = {"railroads": ";".join(stops)} if stops else {}
            features.append(_feature(point, {"name": name, **whose, "source": feature}))
    return '{"type":"FeatureCollection","features":[\n' + ",\n".join(features) + "\n]}\n"


def _feature(shape: shapely.Geometry, properties: Mapping[str, object]) -> str:
    places = [[round(x, _DECIMALS), round(y, _DECIMALS)] for x, y in shapely.get_coordinates(shape).tolist()]
    point = shapely.get_type_id(shape) == 0
    geometry = {"type": "Point" if point else "LineString", "coordinates": places[0] if point else places}
    feature = {"type": "Feature", "properties": properties, "geometry": geometry}
    return json.dumps(feature, ensure_ascii=False, separators=(",", ":"))


def _refuse_unused(plan: ImportPlan, files: Sequence[ImportedFile]) -> None:
    keys = {key.key for file in files for key in file.keys}
    for key in sorted(plan.railroads or {}):
        if key not in keys and key != REST:
            raise SourceError(f"--map {key!r}: no line has this key{did_you_mean(key, keys)}")


def parse_map(texts: Sequence[str]) -> dict[str, str]:
    """Return railroads by key from texts such as `S.P.=sp`; `KEY=` leaves lines out, `*` is every other key.

    Lines without a key have the empty one: `=sp`.

    Raises:
        SourceError: A text has no `=`, or a key appears twice.
    """
    out: dict[str, str] = {}
    for text in texts:
        key, equals, railroad = text.rpartition("=")
        if not equals:
            raise SourceError(f"--map {text!r}: write KEY=RAILROAD, or KEY= to leave its lines out")
        if key.strip() in out:
            raise SourceError(f"--map {text!r}: the key {key.strip()!r} is given twice")
        out[key.strip()] = railroad.strip()
    return out
