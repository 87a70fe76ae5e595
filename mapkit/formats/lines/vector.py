"""Geodata files as traced layers: GeoJSON, KML, GTFS and Overpass JSON, and through GDAL the rest of `VECTOR_FORMATS`.

GDAL never sees the author's file itself: the kind is inferred from the content, XML is scanned without GDAL first, and
a copy goes to a temporary folder under a plain name, with only the companion files of its kind.

Layers are read as arrays, not as GeoDataFrames, in which unreadable and missing shapes look alike, while notes must
tell them apart. Columns stay as they are in the file, so that texts can be decoded strictly.
"""

import codecs
import re
import shutil
import sqlite3
import struct
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import shapely

from mapkit.core import heavy
from mapkit.core.errors import ChoiceError, MapkitError, SourceError, read_failure
from mapkit.formats.files import peek_bytes, read_bytes
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines import late
from mapkit.formats.lines.archive import member_names, member_path, open_archive, read_member
from mapkit.formats.lines.dxf_marks import TEXT_COLUMN, find_station_marks
from mapkit.formats.lines.features import (
    MAX_FEATURES,
    FeatureLayer,
    ImportOptions,
    choose_layers,
    describe_features,
    read_columns,
    to_traced,
)
from mapkit.formats.lines.geojson import read_geojson
from mapkit.formats.lines.kml import LimitedHandler, read_kml, scan_xml
from mapkit.formats.lines.vector_kinds import MAX_BYTES, VECTOR_FORMATS, infer_json_kind, infer_kind
from mapkit.formats.traced import TracedLayer

_XML_KINDS = frozenset({"gml", "gpx", "osm", "georss", "jml"})
_REDIRECTS = {
    "xml": re.compile(rb"<OGR\w*DataSource", re.IGNORECASE),
    "sqlite": re.compile(rb"using\s+\"?Virtual(?:Shape|Text|XL|Dbf|OGR|GeoJSON|Postgres)\b", re.IGNORECASE),
    "tab": re.compile(rb"IsSeamless", re.IGNORECASE),
}
"""Content by which GDAL opens other files."""
_SHP_HEADER = 100
# The language byte of dBase tables, as far as tables of today have it.
_DBF_CODECS = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x64: "cp852", 0x65: "cp866", 0x26: "cp866",
    0x13: "cp932", 0x7B: "cp932", 0x4D: "gbk", 0x7A: "gbk", 0x4E: "cp949", 0x79: "cp949", 0x4F: "cp950", 0x78: "cp950",
    0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253", 0xCC: "cp1257",
}  # fmt: skip


def read_vector(path: Path, *, name: str | None = None, options: ImportOptions | None = None) -> TracedLayer:
    """Read the lines and points of a geodata file, in EPSG:4326 and in the order of the file.

    The CRS is the one in the file, else `options.crs`, and never guessed; each layer may have its own. Heights are
    dropped, collections split, and missing, empty and non-finite geometry is skipped, with a note for each.

    Args:
        path: The file; a Shapefile is its `.shp` or a zip.
        name: Its name in messages; the file's name if None.
        options: Columns, layers, CRS and encoding.

    Raises:
        SourceError: The file is damaged, too large or dangerous, states no CRS, or a feature cannot be used; the text
            names file and feature.
        WorkspaceError: It is missing or not readable.
    """
    name = name or path.name
    kind = infer_kind(path, name=name)
    if kind == "json":
        kind = infer_json_kind(read_bytes(path, name=name, limit=MAX_BYTES))
    vector_format = VECTOR_FORMATS.get(kind or "")
    options = replace(options or ImportOptions(), key_column=vector_format.key_column if vector_format else "")
    match kind:
        case "geojson":
            layer, notes = read_geojson(
                read_bytes(path, name=name, limit=MAX_BYTES), file=name, stem=path.stem, options=options
            )
            return to_traced(_filter_layers([layer], options, name), options, file=name, notes=notes)
        case "overpass":
            layer, notes = late.read_overpass(
                read_bytes(path, name=name, limit=MAX_BYTES), file=name, stem=path.stem, options=options
            )
            return to_traced([layer], options, file=name, notes=notes)
        case "gtfs":
            with open_archive(path, file=name) as archive:
                layer, notes = late.read_gtfs(archive, file=name, stem=path.stem, options=options)
            return to_traced([layer], options, file=name, notes=notes)
        case "kml":
            return _convert_kml(read_bytes(path, name=name, limit=MAX_BYTES), name, path.stem, options)
        case "kmz":
            with open_archive(path, file=name) as archive:
                kml_names = [member for member in member_names(archive) if member.lower().endswith(".kml")]
                main_name = min(kml_names, key=lambda member: (member.count("/"), member.lower() != "doc.kml", member))
                data = read_member(archive, main_name, file=name)
            notes = (
                [f"{name}: holds {len(kml_names)} KML files; only {main_name} is read"] if len(kml_names) > 1 else []
            )
            return _convert_kml(data, name, path.stem, options, notes)
        case str() if vector_format and vector_format.driver:
            with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
                staged_files = _stage_file(path, kind, Path(folder), name)
                layers, notes = _read_staged(staged_files, options, name)
                return to_traced(layers, options, file=name, notes=notes)
    kind_text = "a drawing, which needs control points" if kind == "svg" else "not geodata that mapkit reads"
    raise SourceError(f"{name}: this is {kind_text}; mapkit import --list-formats lists the formats")


def _filter_layers(layers: Sequence[FeatureLayer], options: ImportOptions, name: str) -> list[FeatureLayer]:
    chosen_names = set(choose_layers([layer.name for layer in layers], options, file=name))
    return [layer for layer in layers if layer.name in chosen_names]


def _convert_kml(data: bytes, name: str, stem: str, options: ImportOptions, notes: Iterable[str] = ()) -> TracedLayer:
    layers, layer_notes = read_kml(data, file=name, stem=stem, options=options)
    return to_traced(_filter_layers(layers, options, name), options, file=name, notes=(*notes, *layer_notes))


@dataclass(frozen=True)
class _StagedFile:
    """A copy of a file that GDAL may open."""

    path: Path
    kind: str
    layer: str  # the name of a Shapefile's only layer; empty if the file names its layers


def _stage_file(path: Path, kind: str, folder: Path, name: str) -> list[_StagedFile]:
    if kind in {"shp.zip", "gdb.zip"}:
        return (_stage_archive if kind == "shp.zip" else _stage_geodatabase_archive)(path, folder, name)
    staged_path = folder / f"input{VECTOR_FORMATS[kind].suffixes[0]}"
    if kind in _XML_KINDS:
        staged_path.write_bytes(_strip_schema(read_bytes(path, name=name, limit=MAX_BYTES), name))
        return [_StagedFile(staged_path, kind, "")]
    try:
        if path.is_dir():
            _copy_folder(path, staged_path, name)
        else:
            shutil.copyfile(path, staged_path)
            _refuse_redirects(staged_path, kind, name)
        for companion in VECTOR_FORMATS[kind].companions:
            for sibling_path in sorted(path.parent.iterdir()):
                companion_name = path.stem + companion if companion.startswith(".") else path.name + companion
                if sibling_path.name.lower() == companion_name.lower():
                    companion_path = (
                        staged_path.with_suffix(companion) if companion.startswith(".") else f"{staged_path}{companion}"
                    )
                    shutil.copyfile(sibling_path, companion_path)
    except OSError as error:
        raise read_failure(name, path, error) from error
    if kind == "shp":
        _check_shapefile(staged_path, name)
    return [_StagedFile(staged_path, kind, path.stem if kind in {"shp", "csv"} else "")]


def _copy_folder(path: Path, staged_path: Path, name: str) -> None:
    """Copy the files of a geodatabase, without folders and links in it."""
    staged_path.mkdir()
    file_paths = [each for each in sorted(path.iterdir()) if each.is_file() and not each.is_symlink()]
    size = sum(each.stat().st_size for each in file_paths)
    if size > MAX_BYTES:
        raise SourceError(f"{name}: {size} bytes, the limit is {MAX_BYTES}; split or simplify it")
    for each in file_paths:
        shutil.copyfile(each, staged_path / each.name)


def _refuse_redirects(path: Path, kind: str, name: str) -> None:
    """Raise an error for a file by which GDAL would open other files."""
    content = b""
    if kind == "tab":
        content = path.read_bytes()
    elif kind in {"gpkg", "sqlite"}:
        with (
            suppress(sqlite3.DatabaseError, UnicodeDecodeError),
            closing(sqlite3.connect(path)) as connection,
        ):  # GDAL reports damage
            connection.text_factory = bytes  # a damaged file may hold other texts than UTF-8
            content = b"\n".join(sql or b"" for (sql,) in connection.execute("SELECT sql FROM sqlite_master"))
    if (pattern := _REDIRECTS.get("sqlite" if kind == "gpkg" else kind)) and pattern.search(content):
        raise SourceError(f"{name}: it points at other files, which is refused; export the features themselves")


def _stage_geodatabase_archive(path: Path, folder: Path, name: str) -> list[_StagedFile]:
    staged_paths: dict[str, Path] = {}
    with open_archive(path, file=name) as archive:
        for member in member_names(archive):
            member_file = member_path(member)
            parent = member_file.parent.as_posix()
            staged_path = staged_paths.setdefault(parent, folder / f"input{len(staged_paths)}.gdb")
            staged_path.mkdir(exist_ok=True)
            (staged_path / member_file.name).write_bytes(read_member(archive, member, file=name))
    return [_StagedFile(each, "gdb", "") for each in staged_paths.values() if any(each.glob("*.gdbtable"))]


def _stage_archive(path: Path, folder: Path, name: str) -> list[_StagedFile]:
    staged_files: list[_StagedFile] = []
    with open_archive(path, file=name) as archive:
        all_names = member_names(archive)
        for number, shp_name in enumerate(member for member in all_names if member.lower().endswith(".shp")):
            staged_path = folder / f"input{number}.shp"
            staged_path.write_bytes(read_member(archive, shp_name, file=name))
            for member in all_names:
                suffix = member.lower()[-4:]
                if member[:-4].lower() == shp_name[:-4].lower() and suffix in VECTOR_FORMATS["shp"].companions:
                    staged_path.with_suffix(suffix).write_bytes(read_member(archive, member, file=name))
            stem = member_path(shp_name).stem
            _check_shapefile(staged_path, f"{name}:{stem}")
            staged_files.append(_StagedFile(staged_path, "shp", stem))
    return staged_files


def _check_shapefile(path: Path, name: str) -> None:
    """Raise an error for a truncated Shapefile, since GDAL would read a part of it silently."""
    if not path.with_suffix(".shx").exists():
        raise SourceError(f"{name}: its .shx is missing; put .shp, .shx, .dbf and .prj beside each other")
    for suffix in (".shp", ".shx"):
        part_path = path.with_suffix(suffix)
        with part_path.open("rb") as stream:
            head = stream.read(_SHP_HEADER)
        stated_bytes = 2 * struct.unpack(">i", head[24:28])[0] if len(head) == _SHP_HEADER else -1
        if not _SHP_HEADER <= stated_bytes <= part_path.stat().st_size:
            raise SourceError(f"{name}: its {suffix} is cut short; export it again")


def _strip_schema(data: bytes, name: str) -> bytes:
    """Return XML without references to its schema, since GDAL might fetch it.

    Raises:
        SourceError: It is not plain XML, or GDAL would take it for something else.
    """
    if b"\0" in data:
        raise SourceError(f"{name}: it must be UTF-8; save it again")
    if _REDIRECTS["xml"].search(data):
        raise SourceError(f"{name}: it points at other files, which is refused; export the features themselves")
    scan_xml(data, LimitedHandler(), file=name)
    return data.replace(b"schemaLocation", b"schemalocation").replace(b"SchemaLocation", b"Schemalocation")


def _read_staged(
    staged: Sequence[_StagedFile], options: ImportOptions, name: str
) -> tuple[list[FeatureLayer], list[str]]:
    """Return the layers of all copies, and notes with the warnings of GDAL.

    Raises:
        SourceError: GDAL refuses them.
    """
    staged_layers: list[FeatureLayer] = []
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as gdal_warnings:
        warnings.simplefilter("always")
        try:
            listed_layers = _list_layers(staged, name)
            chosen_labels = set(choose_layers([label for _, _, label in listed_layers], options, file=name))
            has_several = len(listed_layers) > 1
            features_left = MAX_FEATURES
            for copy, layer, label in listed_layers:
                if label in chosen_labels:
                    layer_place = f"{name}:{label}" if has_several else name
                    read_layer, layer_notes = _read_layer(copy, layer, label, layer_place, options, features_left)
                    staged_layers.append(read_layer)
                    notes += layer_notes
                    features_left -= len(read_layer.labels)
        except (RuntimeError, ValueError, LookupError, OSError) as error:  # all that pyogrio raises
            raise SourceError(f"{name}: {translate_error(error)}; export it again") from error
        except UnboundLocalError as error:  # pyogrio fails so if a CRS is not UTF-8
            raise SourceError(f"{name}: its CRS is not a text in UTF-8; write it again in EPSG:4326") from error
    notes += sorted({f"{name}: {str(warning.message).split(chr(10))[0]}" for warning in gdal_warnings})
    return staged_layers, notes


def _list_layers(staged: Sequence[_StagedFile], name: str) -> list[tuple[_StagedFile, str | None, str]]:
    """Return `(copy, layer in it, layer name)` for each layer with geometry."""
    listed_layers: list[tuple[_StagedFile, str | None, str]] = []
    for copy in staged:
        expected_driver, skipped_layers = VECTOR_FORMATS[copy.kind].driver, VECTOR_FORMATS[copy.kind].skipped_layers
        layers = [(str(layer), kind) for layer, kind in heavy.pyogrio.list_layers(copy.path)]
        first_layer = layers[0][0] if layers and not copy.layer else None  # pyogrio warns if none is named
        driver_name = heavy.pyogrio.read_info(copy.path, layer=first_layer, encoding=_raw_encoding(copy))["driver"]
        if driver_name != expected_driver:
            raise SourceError(f"{name}: GDAL takes it for {driver_name}, not {expected_driver}; export it again")
        if copy.layer:
            listed_layers.append((copy, None, copy.layer))
        else:
            listed_layers += [(copy, layer, layer) for layer, kind in layers if kind and layer not in skipped_layers]
    return listed_layers


def _raw_encoding(copy: _StagedFile) -> str | None:
    """Return the encoding to pass to GDAL: Latin-1 for Shapefiles, to get the bytes for strict decoding here."""
    return "ISO-8859-1" if copy.kind == "shp" else None


def count_to_read(
    path: Path,
    layer: str | None,
    where: str,
    most: int,
    *,
    encoding: str | None = None,
    open_options: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Return the number of features that pyogrio should read from a layer: all, and at least 1 (0 means no limit).

    The features are counted, since the number stated in the file may be wrong: pyogrio allocates memory for the
    requested or stated number, and skips further features.

    Args:
        path: The file.
        layer: The name of the layer; None in a file of one.
        where: How messages name the layer.
        most: More rows are refused.
        encoding: What GDAL is to take texts for.
        open_options: Options for the GDAL driver.

    Raises:
        SourceError: There are more.
    """
    _, fids, _, _ = heavy.pyogrio.raw.read(
        path,
        layer=layer,
        encoding=encoding,
        columns=[],
        read_geometry=False,
        max_features=most + 1,
        return_fids=True,
        **open_options,
    )
    if len(fids) > most:
        raise SourceError(f"{where}: more than {MAX_FEATURES} features; split the file")
    return max(len(fids), 1)


def _read_layer(
    copy: _StagedFile, layer: str | None, label: str, where: str, options: ImportOptions, budget: int
) -> tuple[FeatureLayer, list[str]]:
    raw_encoding = _raw_encoding(copy)
    vector_format = VECTOR_FORMATS[copy.kind]
    open_options = vector_format.open_options
    raw_fields = [
        str(text)
        for text in heavy.pyogrio.read_info(copy.path, layer=layer, encoding=raw_encoding, **open_options)["fields"]
    ]
    decoder = _Decoder(copy, options, where)
    raw_field_by_name = {decoder.text(text, f"{where}: the header"): text for text in raw_fields}
    wanted_columns = (
        list(raw_field_by_name) if vector_format.driver == "OSM" else read_columns(tuple(raw_field_by_name), options)
    )
    if vector_format.driver == "DXF" and TEXT_COLUMN in raw_field_by_name:
        wanted_columns = [*dict.fromkeys((*wanted_columns, TEXT_COLUMN))]
    meta, fids, wkb, values = heavy.pyogrio.raw.read(
        copy.path,
        layer=layer,
        encoding=raw_encoding,
        columns=[raw_field_by_name[column] for column in wanted_columns],
        max_features=count_to_read(copy.path, layer, where, budget, encoding=raw_encoding, open_options=open_options),
        return_fids=True,
        **open_options,
    )
    if wkb is None:  # a table whose header names no column with shapes
        raise SourceError(f"{where}: no column with shapes; call it wkt, or give columns lon and lat")
    labels = [f"{where}#{fid}" for fid in fids.tolist()]
    field_order = [str(text) for text in meta["fields"]]
    values_by_column: dict[str, Sequence[object]] = {}
    for column in wanted_columns:
        column_values = values[field_order.index(raw_field_by_name[column])].tolist()
        values_by_column[column] = [decoder.text(value, at) for value, at in zip(column_values, labels, strict=True)]
    with np.errstate(all="ignore"):  # NaN, which is noted with its feature later
        geometries = np.asarray(shapely.from_wkb(wkb, on_invalid="ignore"), dtype=object)
    is_malformed = np.array([shape is not None for shape in wkb], dtype=bool) & shapely.is_missing(geometries)
    notes = describe_features(
        [labels[at] for at in np.flatnonzero(is_malformed)], "a malformed geometry, such as a single vertex; left out"
    )
    kept_indices = np.flatnonzero(~is_malformed).tolist()
    stated_crs, assumed_crs = meta["crs"] or None, vector_format.crs or None
    if copy.kind == "csv" and not options.crs:  # a table has no place for its CRS, and mostly holds degrees
        assumed_crs = "EPSG:4326"
        notes = [*notes, f"{where}: a table states no CRS; taken for degrees (EPSG:4326); if it is not, give --crs"]
    feature_layer = FeatureLayer(
        name=label,
        crs=stated_crs or assumed_crs,
        is_crs_assumed=stated_crs is None and assumed_crs is not None,
        labels=[labels[at] for at in kept_indices],
        geometries=geometries[kept_indices],
        columns=tuple(raw_field_by_name),
        values={
            column: [column_values[at] for at in kept_indices] for column, column_values in values_by_column.items()
        },
    )
    if vector_format.driver == "DXF" and not options.centre_lines:
        feature_layer, text_notes = find_station_marks(feature_layer)
        notes += text_notes
    return (late.split_tag_column(feature_layer, options) if vector_format.driver == "OSM" else feature_layer), notes


class _Decoder:
    """Decoder of Shapefile texts, read as Latin-1 to keep the bytes of the table.

    The encoding is the author's, else that of the `.cpg`, else that of the table's language byte. Without any of them
    only ASCII is read: GDAL's guess, Latin-1, would silently garble names.
    """

    def __init__(self, copy: _StagedFile, options: ImportOptions, where: str) -> None:
        self.where = where
        self.active = copy.kind == "shp"
        self.codec, self.said_by = self._find_codec(copy.path, options) if self.active else ("utf-8", "")

    def _find_codec(self, path: Path, options: ImportOptions) -> tuple[str, str]:
        if options.encoding:
            return self._codec_name(options.encoding, ChoiceError), "--encoding"
        if text := peek_bytes(path.with_suffix(".cpg"), 100).decode("ascii", "replace").strip():
            return self._codec_name(text, SourceError), "its .cpg"
        language_byte = peek_bytes(path.with_suffix(".dbf"), 30)[29:]
        codec = _DBF_CODECS.get(language_byte[0]) if language_byte else None
        return (codec, "its .dbf") if codec else ("ascii", "")

    def _codec_name(self, text: str, error: type[MapkitError]) -> str:
        plain_name = re.sub(r"[^a-z0-9]", "", text.lower())
        digits = re.sub(r"^(ansi|cp|windows|ibm|iso|oem|ldid)+", "", plain_name)
        aliases = [text]
        if digits == "65001":
            aliases.append("utf-8")
        elif digits.startswith("8859"):
            aliases.append(f"iso8859-{digits.removeprefix('8859') or 1}")
        elif digits.isdigit():
            aliases.append(f"cp{digits}")
        for alias in aliases:
            try:
                info = codecs.lookup(alias)
            except (LookupError, ValueError):
                continue
            if info._is_text_encoding:  # noqa: SLF001 - base64 and its like are not encodings of text
                return info.name
        raise error(
            f"{self.where}: unknown encoding {text[:40]!r}; name the encoding by --encoding, such as --encoding "
            "cp1252, or in a .cpg file"
        )

    def text(self, value: Any, at: str) -> Any:  # noqa: ANN401 - an attribute is a text or a number
        """Return a value, decoded if it is a text.

        Raises:
            SourceError: It is not in the encoding.
        """
        if not self.active or not isinstance(value, str) or value.isascii():
            return value
        data = value.encode("latin-1", "replace")
        try:
            return data.decode(self.codec)
        except UnicodeDecodeError as error:
            reason = f"{data[:40]!r} is not {self.codec}, as {self.said_by} says" if self.said_by else "no .cpg says"
            raise SourceError(
                f"{at}: {reason}; name the encoding of the attributes by --encoding, such as --encoding cp1252, or in "
                "a .cpg file"
            ) from error
