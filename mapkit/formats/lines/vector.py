"""Geodata files as traced layers: GeoJSON, KML, KMZ, and through GDAL GeoPackage, Shapefile, GML, FlatGeobuf.

GDAL opens every format that it recognizes, including those that refer to other files and to the network. So it never
sees the author's file itself: the kind is inferred from the content, XML is scanned without GDAL first, and a copy goes
to a temporary folder under a plain name, with only the companion files of its kind.

Layers are read as arrays, not as GeoDataFrames, in which unreadable and missing shapes look alike, while notes must
tell them apart. Columns stay as they are in the file, so that texts can be decoded strictly.
"""

import codecs
import re
import shutil
import struct
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from mapkit.core import heavy
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.formats.files import ZIP
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.archive import member_names, member_path, open_archive, read_member
from mapkit.formats.lines.features import (
    MAX_FEATURES,
    FeatureLayer,
    ImportOptions,
    choose_layers,
    describe,
    read_columns,
    to_traced,
)
from mapkit.formats.lines.geojson import read_geojson
from mapkit.formats.lines.kml import LimitedHandler, read_kml, scan_xml
from mapkit.formats.traced import TracedLayer

MAX_BYTES = 2 * 2**30
KINDS = ("geojson", "gpkg", "shp", "kml", "kmz", "gml", "fgb", "shp.zip")

_DRIVER_BY_KIND = {"gpkg": "GPKG", "shp": "ESRI Shapefile", "gml": "GML", "fgb": "FlatGeobuf"}
_HEAD_BYTES = 2**16
_COMPANION_SUFFIXES = {"gpkg": ("-wal",), "shp": (".shx", ".dbf", ".prj", ".cpg")}
_OGR_REDIRECT = re.compile(rb"<OGR\w*DataSource", re.IGNORECASE)  # XML by which GDAL opens other files
_ROOT_ELEMENT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_SHP_HEADER = 100
# The language byte of dBase tables, as far as tables of today have it.
_DBF_CODECS = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x64: "cp852", 0x65: "cp866", 0x26: "cp866",
    0x13: "cp932", 0x7B: "cp932", 0x4D: "gbk", 0x7A: "gbk", 0x4E: "cp949", 0x79: "cp949", 0x4F: "cp950", 0x78: "cp950",
    0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253", 0xCC: "cp1257",
}  # fmt: skip


def kind_of(path: Path, *, name: str) -> str | None:
    """Return the member of `KINDS` that a file's content matches, `"svg"`, `"json"`, or None if unknown.

    `"json"` is any JSON; its decoder distinguishes GeoJSON and graphs.

    Raises:
        SourceError: It is empty or too large, or an archive without a map in it.
        WorkspaceError: It is missing or not readable.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    if size > MAX_BYTES:
        raise SourceError(f"{name}: {size} bytes, the limit is {MAX_BYTES}; split or simplify it")
    if not head.strip():
        raise SourceError(f"{name}: the file is empty; export it again")
    if head.startswith(ZIP):
        return _kind_of_archive(path, name)
    for start, kind in ((b"SQLite format 3\0", "gpkg"), (b"fgb\x03fgb", "fgb"), (b"\x00\x00\x27\x0a", "shp")):
        if head.startswith(start):
            return kind
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.replace(b"\0", b"")[2:]
    head_text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if head_text.startswith((b"{", b"[")):
        return "json"
    return _kind_of_xml(head_text) if head_text.startswith(b"<") else None


def _kind_of_archive(path: Path, name: str) -> str:
    with open_archive(path, file=name) as archive:
        member_suffixes = {member_path(member).suffix.lower() for member in member_names(archive)}
    if ".kml" in member_suffixes:
        return "kmz"
    if ".shp" in member_suffixes:
        return "shp.zip"
    raise SourceError(f"{name}: no Shapefile and no KML in the archive; unpack it and import the file in it")


def _kind_of_xml(head: bytes) -> str | None:
    uncommented_head = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    root_match = _ROOT_ELEMENT.search(uncommented_head)
    root_name = root_match[1].decode("ascii", "replace") if root_match else ""
    if root_name in {"kml", "svg"}:
        return root_name
    return "gml" if b"opengis.net/gml" in head else None


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
    options = options or ImportOptions()
    kind = kind_of(path, name=name)
    match kind:
        case "json":
            layer, notes = read_geojson(_read_bytes(path, name), file=name, stem=path.stem, options=options)
            return to_traced(_filter_layers([layer], options, name), options, file=name, notes=notes)
        case "kml":
            return _convert_kml(_read_bytes(path, name), name, path.stem, options)
        case "kmz":
            with open_archive(path, file=name) as archive:
                kml_names = [member for member in member_names(archive) if member.lower().endswith(".kml")]
                main_name = min(kml_names, key=lambda member: (member.count("/"), member.lower() != "doc.kml", member))
                data = read_member(archive, main_name, file=name)
            notes = (
                [f"{name}: holds {len(kml_names)} KML files; only {main_name} is read"] if len(kml_names) > 1 else []
            )
            return _convert_kml(data, name, path.stem, options, notes)
        case "gpkg" | "fgb" | "gml" | "shp" | "shp.zip":
            with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
                staged_files = _stage_file(path, kind, Path(folder), name)
                layers, notes = _read_staged(staged_files, options, name)
                return to_traced(layers, options, file=name, notes=notes)
    kind_text = "a drawing, which needs control points" if kind == "svg" else "not geodata that mapkit reads"
    raise SourceError(
        f"{name}: this is {kind_text}; it reads GeoJSON, GeoPackage, Shapefile (.shp), KML, GML, FlatGeobuf"
    )


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error


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
    if kind == "shp.zip":
        return _stage_archive(path, folder, name)
    staged_path = folder / f"input.{kind}"
    if kind == "gml":
        staged_path.write_bytes(_strip_gml_schema(_read_bytes(path, name), name))
        return [_StagedFile(staged_path, kind, "")]
    try:
        shutil.copyfile(path, staged_path)
        for companion in _COMPANION_SUFFIXES.get(kind, ()):
            for sibling_path in sorted(path.parent.iterdir()):
                companion_name = path.stem + companion if companion.startswith(".") else path.name + companion
                if sibling_path.name.lower() == companion_name.lower():
                    companion_path = (
                        staged_path.with_suffix(companion) if companion.startswith(".") else f"{staged_path}{companion}"
                    )
                    shutil.copyfile(sibling_path, companion_path)
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    if kind == "shp":
        _check_shapefile(staged_path, name)
    return [_StagedFile(staged_path, kind, path.stem if kind == "shp" else "")]


def _stage_archive(path: Path, folder: Path, name: str) -> list[_StagedFile]:
    staged_files: list[_StagedFile] = []
    with open_archive(path, file=name) as archive:
        all_names = member_names(archive)
        for number, shp_name in enumerate(member for member in all_names if member.lower().endswith(".shp")):
            staged_path = folder / f"input{number}.shp"
            staged_path.write_bytes(read_member(archive, shp_name, file=name))
            for member in all_names:
                suffix = member.lower()[-4:]
                if member[:-4].lower() == shp_name[:-4].lower() and suffix in _COMPANION_SUFFIXES["shp"]:
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


def _strip_gml_schema(data: bytes, name: str) -> bytes:
    """Return GML without references to its schema, since GDAL might fetch it.

    Raises:
        SourceError: It is not plain XML, or GDAL would take it for something else.
    """
    if b"\0" in data:
        raise SourceError(f"{name}: GML must be UTF-8; save it again")
    if _OGR_REDIRECT.search(data):
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
        layers = [(str(layer), kind) for layer, kind in heavy.pyogrio.list_layers(copy.path)]
        first_layer = layers[0][0] if layers and not copy.layer else None  # pyogrio warns if none is named
        driver_name = heavy.pyogrio.read_info(copy.path, layer=first_layer, encoding=_raw_encoding(copy))["driver"]
        if driver_name != _DRIVER_BY_KIND[copy.kind]:
            raise SourceError(
                f"{name}: GDAL takes it for {driver_name}, not {_DRIVER_BY_KIND[copy.kind]}; export it again"
            )
        if copy.layer:
            listed_layers.append((copy, None, copy.layer))
        else:
            listed_layers += [(copy, layer, layer) for layer, kind in layers if kind]
    return listed_layers


def _raw_encoding(copy: _StagedFile) -> str | None:
    """Return the encoding to pass to GDAL: Latin-1 for Shapefiles, to get the bytes for strict decoding here."""
    return "ISO-8859-1" if copy.kind == "shp" else None


def count_to_read(path: Path, layer: str | None, where: str, most: int, *, encoding: str | None = None) -> int:
    """Return the number of features that pyogrio should read from a layer: all, and at least 1 (0 means no limit).

    The features are counted, since the number stated in the file may be wrong: pyogrio allocates memory for the
    requested or stated number, and skips further features.

    Args:
        path: The file.
        layer: The name of the layer; None in a file of one.
        where: How messages name the layer.
        most: More rows are refused.
        encoding: What GDAL is to take texts for.

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
    )
    if len(fids) > most:
        raise SourceError(f"{where}: more than {MAX_FEATURES} features; split the file")
    return max(len(fids), 1)


def _read_layer(
    copy: _StagedFile, layer: str | None, label: str, where: str, options: ImportOptions, budget: int
) -> tuple[FeatureLayer, list[str]]:
    raw_encoding = _raw_encoding(copy)
    raw_fields = [
        str(text) for text in heavy.pyogrio.read_info(copy.path, layer=layer, encoding=raw_encoding)["fields"]
    ]
    decoder = _Decoder(copy, options, where)
    raw_field_by_name = {decoder.text(text, f"{where}: the header"): text for text in raw_fields}
    wanted_columns = read_columns(tuple(raw_field_by_name), options)
    meta, fids, wkb, values = heavy.pyogrio.raw.read(
        copy.path,
        layer=layer,
        encoding=raw_encoding,
        columns=[raw_field_by_name[column] for column in wanted_columns],
        max_features=count_to_read(copy.path, layer, where, budget, encoding=raw_encoding),
        return_fids=True,
    )
    labels = [f"{where}#{fid}" for fid in fids.tolist()]
    field_order = [str(text) for text in meta["fields"]]
    values_by_column: dict[str, Sequence[object]] = {}
    for column in wanted_columns:
        column_values = values[field_order.index(raw_field_by_name[column])].tolist()
        values_by_column[column] = [decoder.text(value, at) for value, at in zip(column_values, labels, strict=True)]
    with np.errstate(all="ignore"):  # NaN, which is noted with its feature later
        geometries = np.asarray(shapely.from_wkb(wkb, on_invalid="ignore"), dtype=object)
    is_malformed = np.array([shape is not None for shape in wkb], dtype=bool) & shapely.is_missing(geometries)
    notes = describe(
        [labels[at] for at in np.flatnonzero(is_malformed)], "a malformed geometry, such as a single vertex; left out"
    )
    kept_indices = np.flatnonzero(~is_malformed).tolist()
    feature_layer = FeatureLayer(
        name=label,
        crs=meta["crs"] or None,
        labels=[labels[at] for at in kept_indices],
        geometries=geometries[kept_indices],
        columns=tuple(raw_field_by_name),
        values={
            column: [column_values[at] for at in kept_indices] for column, column_values in values_by_column.items()
        },
    )
    return feature_layer, notes


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
        cpg_path = path.with_suffix(".cpg")
        if options.encoding:
            return self._codec_name(options.encoding), "--encoding"
        if cpg_path.exists() and (text := cpg_path.read_bytes()[:100].decode("ascii", "replace").strip()):
            return self._codec_name(text), "its .cpg"
        dbf_path = path.with_suffix(".dbf")
        language_byte = dbf_path.read_bytes()[29:30] if dbf_path.exists() else b""
        codec = _DBF_CODECS.get(language_byte[0]) if language_byte else None
        return (codec, "its .dbf") if codec else ("ascii", "")

    def _codec_name(self, text: str) -> str:
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
        raise SourceError(
            f"{self.where}: unknown encoding {text[:40]!r}; say which one it is, as --encoding cp1252 or in a .cpg file"
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
            message = f"{at}: {reason}; say which encoding the attributes have, as --encoding cp1252 or in a .cpg file"
            raise SourceError(message) from error
