"""Geodata files as traced layers: GeoJSON, KML, KMZ, and through GDAL GeoPackage, Shapefile, GML, FlatGeobuf.

GDAL opens whatever it recognizes, also formats that point at other files and at the network. So it never sees a
file as the author has it: the kind is inferred from the content, XML is read once without it, and a copy goes to a
temporary folder under a plain name, with the companions that this kind has and no others.

Layers are read as arrays, not as GeoDataFrames: a GeoDataFrame shows a shape that cannot be read as one that is
missing, and a note must tell them apart. Columns stay as they are in the file, so that texts can be decoded strictly.
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

_DRIVERS = {"gpkg": "GPKG", "shp": "ESRI Shapefile", "gml": "GML", "fgb": "FlatGeobuf"}
_HEAD = 2**16
_COMPANIONS = {"gpkg": ("-wal",), "shp": (".shx", ".dbf", ".prj", ".cpg")}
_ELSEWHERE = re.compile(rb"<OGR\w*DataSource", re.IGNORECASE)  # XML by which GDAL opens other files
_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_SHP_HEADER = 100
# The language byte of dBase tables, as far as tables of today have it.
_DBF_CODECS = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x64: "cp852", 0x65: "cp866", 0x26: "cp866",
    0x13: "cp932", 0x7B: "cp932", 0x4D: "gbk", 0x7A: "gbk", 0x4E: "cp949", 0x79: "cp949", 0x4F: "cp950", 0x78: "cp950",
    0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253", 0xCC: "cp1257",
}  # fmt: skip


def kind_of(path: Path, *, name: str) -> str | None:
    """Return which of `KINDS` a file is by its content, `"svg"`, `"json"`, or None if it is nothing known.

    `"json"` is any JSON: whoever decodes it decides whether it is GeoJSON or a graph.

    Raises:
        SourceError: It is empty or too large, or an archive without a map in it.
        WorkspaceError: It is missing or may not be read.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
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
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith((b"{", b"[")):
        return "json"
    return _kind_of_xml(text) if text.startswith(b"<") else None


def _kind_of_archive(path: Path, name: str) -> str:
    with open_archive(path, file=name) as archive:
        suffixes = {member_path(member).suffix.lower() for member in member_names(archive)}
    if ".kml" in suffixes:
        return "kmz"
    if ".shp" in suffixes:
        return "shp.zip"
    raise SourceError(f"{name}: no Shapefile and no KML in the archive; unpack it and import the file in it")


def _kind_of_xml(head: bytes) -> str | None:
    plain = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    root = _ROOT.search(plain)
    local = root[1].decode("ascii", "replace") if root else ""
    if local in {"kml", "svg"}:
        return local
    return "gml" if b"opengis.net/gml" in head else None


def read_vector(path: Path, *, name: str | None = None, options: ImportOptions | None = None) -> TracedLayer:
    """Read the lines and points of a geodata file, in EPSG:4326 and in the order of the file.

    The CRS is what the file states, else `options.crs`, and never guessed; each layer may have its own. Heights are
    dropped, collections taken apart, missing, empty and non-finite geometry left out; notes say where.

    Args:
        path: The file; a Shapefile is its `.shp` or a zip.
        name: What to call it in messages; its name if None.
        options: Columns, layers, CRS and encoding.

    Raises:
        SourceError: The file is damaged, too large or dangerous, states no CRS, or a feature cannot be used; the text
            names file and feature.
        WorkspaceError: It is missing or may not be read.
    """
    name = name or path.name
    options = options or ImportOptions()
    kind = kind_of(path, name=name)
    match kind:
        case "json":
            layer, notes = read_geojson(_bytes(path, name), file=name, stem=path.stem, options=options)
            return to_traced(_chosen([layer], options, name), options, file=name, notes=notes)
        case "kml":
            return _kml(_bytes(path, name), name, path.stem, options)
        case "kmz":
            with open_archive(path, file=name) as archive:
                names = [member for member in member_names(archive) if member.lower().endswith(".kml")]
                main = min(names, key=lambda member: (member.count("/"), member.lower() != "doc.kml", member))
                data = read_member(archive, main, file=name)
            notes = [f"{name}: holds {len(names)} KML files; only {main} is read"] if len(names) > 1 else []
            return _kml(data, name, path.stem, options, notes)
        case "gpkg" | "fgb" | "gml" | "shp" | "shp.zip":
            with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
                staged = _stage(path, kind, Path(folder), name)
                layers, notes = _read_staged(staged, options, name)
                return to_traced(layers, options, file=name, notes=notes)
    what = "a drawing, which needs control points" if kind == "svg" else "not geodata that mapkit reads"
    raise SourceError(f"{name}: this is {what}; it reads GeoJSON, GeoPackage, Shapefile (.shp), KML, GML, FlatGeobuf")


def _bytes(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error


def _chosen(layers: Sequence[FeatureLayer], options: ImportOptions, name: str) -> list[FeatureLayer]:
    chosen = set(choose_layers([layer.name for layer in layers], options, file=name))
    return [layer for layer in layers if layer.name in chosen]


def _kml(data: bytes, name: str, stem: str, options: ImportOptions, notes: Iterable[str] = ()) -> TracedLayer:
    layers, found = read_kml(data, file=name, stem=stem, options=options)
    return to_traced(_chosen(layers, options, name), options, file=name, notes=(*notes, *found))


@dataclass(frozen=True)
class _Staged:
    """A copy that GDAL may open."""

    path: Path
    kind: str
    layer: str  # the name of a Shapefile's only layer; empty if the file names its layers


def _stage(path: Path, kind: str, folder: Path, name: str) -> list[_Staged]:
    if kind == "shp.zip":
        return _stage_archive(path, folder, name)
    target = folder / f"input.{kind}"
    if kind == "gml":
        target.write_bytes(_harmless_gml(_bytes(path, name), name))
        return [_Staged(target, kind, "")]
    try:
        shutil.copyfile(path, target)
        for companion in _COMPANIONS.get(kind, ()):
            for other in sorted(path.parent.iterdir()):
                beside = path.stem + companion if companion.startswith(".") else path.name + companion
                if other.name.lower() == beside.lower():
                    suffixed = target.with_suffix(companion) if companion.startswith(".") else f"{target}{companion}"
                    shutil.copyfile(other, suffixed)
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    if kind == "shp":
        _check_shapefile(target, name)
    return [_Staged(target, kind, path.stem if kind == "shp" else "")]


def _stage_archive(path: Path, folder: Path, name: str) -> list[_Staged]:
    out: list[_Staged] = []
    with open_archive(path, file=name) as archive:
        names = member_names(archive)
        for number, main in enumerate(member for member in names if member.lower().endswith(".shp")):
            target = folder / f"input{number}.shp"
            target.write_bytes(read_member(archive, main, file=name))
            for member in names:
                suffix = member.lower()[-4:]
                if member[:-4].lower() == main[:-4].lower() and suffix in _COMPANIONS["shp"]:
                    target.with_suffix(suffix).write_bytes(read_member(archive, member, file=name))
            stem = member_path(main).stem
            _check_shapefile(target, f"{name}:{stem}")
            out.append(_Staged(target, "shp", stem))
    return out


def _check_shapefile(path: Path, name: str) -> None:
    """Refuse a Shapefile that GDAL would read in part."""
    if not path.with_suffix(".shx").exists():
        raise SourceError(f"{name}: its .shx is missing; put .shp, .shx, .dbf and .prj beside each other")
    for suffix in (".shp", ".shx"):
        part = path.with_suffix(suffix)
        with part.open("rb") as stream:
            head = stream.read(_SHP_HEADER)
        stated = 2 * struct.unpack(">i", head[24:28])[0] if len(head) == _SHP_HEADER else -1
        if not _SHP_HEADER <= stated <= part.stat().st_size:
            raise SourceError(f"{name}: its {suffix} is cut short; export it again")


def _harmless_gml(data: bytes, name: str) -> bytes:
    """Return GML without its schema, which GDAL might fetch.

    Raises:
        SourceError: It is not plain XML, or GDAL would take it for something else.
    """
    if b"\0" in data:
        raise SourceError(f"{name}: GML must be UTF-8; save it again")
    if _ELSEWHERE.search(data):
        raise SourceError(f"{name}: it points at other files, which is refused; export the features themselves")
    scan_xml(data, LimitedHandler(), file=name)
    return data.replace(b"schemaLocation", b"schemalocation").replace(b"SchemaLocation", b"Schemalocation")


def _read_staged(staged: Sequence[_Staged], options: ImportOptions, name: str) -> tuple[list[FeatureLayer], list[str]]:
    """Return the layers of all copies and what GDAL had to say about them.

    Raises:
        SourceError: GDAL refuses them.
    """
    out: list[FeatureLayer] = []
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            listed = _listed(staged, name)
            chosen = set(choose_layers([label for _, _, label in listed], options, file=name))
            several = len(listed) > 1
            budget = MAX_FEATURES
            for copy, layer, label in listed:
                if label in chosen:
                    where = f"{name}:{label}" if several else name
                    made, left_out = _read_layer(copy, layer, label, where, options, budget)
                    out.append(made)
                    notes += left_out
                    budget -= len(made.labels)
        except (RuntimeError, ValueError, LookupError, OSError) as error:  # all that pyogrio raises
            raise SourceError(f"{name}: {translate_error(error)}; export it again") from error
        except UnboundLocalError as error:  # what pyogrio ends in where a CRS is not UTF-8
            raise SourceError(f"{name}: its CRS is not a text in UTF-8; write it again in EPSG:4326") from error
    notes += sorted({f"{name}: {str(warning.message).split(chr(10))[0]}" for warning in said})
    return out, notes


def _listed(staged: Sequence[_Staged], name: str) -> list[tuple[_Staged, str | None, str]]:
    """Return `(copy, layer in it, its name)` of each layer with geometry."""
    out: list[tuple[_Staged, str | None, str]] = []
    for copy in staged:
        layers = [(str(layer), kind) for layer, kind in heavy.pyogrio.list_layers(copy.path)]
        first = layers[0][0] if layers and not copy.layer else None  # pyogrio warns if none is named
        driver = heavy.pyogrio.read_info(copy.path, layer=first, encoding=_raw_encoding(copy))["driver"]
        if driver != _DRIVERS[copy.kind]:
            raise SourceError(f"{name}: GDAL takes it for {driver}, not {_DRIVERS[copy.kind]}; export it again")
        if copy.layer:
            out.append((copy, None, copy.layer))
        else:
            out += [(copy, layer, layer) for layer, kind in layers if kind]
    return out


def _raw_encoding(copy: _Staged) -> str | None:
    """Return the encoding to ask GDAL for: bytes as they are for Shapefiles, which are decoded here, strictly."""
    return "ISO-8859-1" if copy.kind == "shp" else None


def count_to_read(path: Path, layer: str | None, where: str, most: int, *, encoding: str | None = None) -> int:
    """Return how many features of a layer pyogrio should read: all, and at least 1 (0 would mean no limit).

    They are counted. A file also states their number, which another program may have left wrong: pyogrio sets aside
    memory for as many as it should read, or as the file states, and leaves out the others.

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
    copy: _Staged, layer: str | None, label: str, where: str, options: ImportOptions, budget: int
) -> tuple[FeatureLayer, list[str]]:
    raw_encoding = _raw_encoding(copy)
    fields = [str(text) for text in heavy.pyogrio.read_info(copy.path, layer=layer, encoding=raw_encoding)["fields"]]
    decode = _Decoder(copy, options, where)
    by_name = {decode.text(text, f"{where}: the header"): text for text in fields}
    wanted = read_columns(tuple(by_name), options)
    meta, fids, wkb, values = heavy.pyogrio.raw.read(
        copy.path,
        layer=layer,
        encoding=raw_encoding,
        columns=[by_name[column] for column in wanted],
        max_features=count_to_read(copy.path, layer, where, budget, encoding=raw_encoding),
        return_fids=True,
    )
    labels = [f"{where}#{fid}" for fid in fids.tolist()]
    order = [str(text) for text in meta["fields"]]
    columns: dict[str, Sequence[object]] = {}
    for column in wanted:
        found = values[order.index(by_name[column])].tolist()
        columns[column] = [decode.text(value, at) for value, at in zip(found, labels, strict=True)]
    with np.errstate(all="ignore"):  # NaN, which is noted with its feature later
        geometries = np.asarray(shapely.from_wkb(wkb, on_invalid="ignore"), dtype=object)
    malformed = np.array([shape is not None for shape in wkb], dtype=bool) & shapely.is_missing(geometries)
    notes = describe(
        [labels[at] for at in np.flatnonzero(malformed)], "a malformed geometry, such as a single vertex; left out"
    )
    kept = np.flatnonzero(~malformed).tolist()
    made = FeatureLayer(
        name=label,
        crs=meta["crs"] or None,
        labels=[labels[at] for at in kept],
        geometries=geometries[kept],
        columns=tuple(by_name),
        values={column: [found[at] for at in kept] for column, found in columns.items()},
    )
    return made, notes


class _Decoder:
    """Decodes the texts of a Shapefile, which come as Latin-1 and so hold the bytes of the table.

    The encoding is what the author says, else the `.cpg`, else the table's language byte. Without any of them only
    ASCII is read: Latin-1, which is GDAL's guess, would turn names into nonsense without a word.
    """

    def __init__(self, copy: _Staged, options: ImportOptions, where: str) -> None:
        self.where = where
        self.active = copy.kind == "shp"
        self.codec, self.said_by = self._find(copy.path, options) if self.active else ("utf-8", "")

    def _find(self, path: Path, options: ImportOptions) -> tuple[str, str]:
        cpg = path.with_suffix(".cpg")
        if options.encoding:
            return self._codec(options.encoding), "--encoding"
        if cpg.exists() and (text := cpg.read_bytes()[:100].decode("ascii", "replace").strip()):
            return self._codec(text), "its .cpg"
        dbf = path.with_suffix(".dbf")
        byte = dbf.read_bytes()[29:30] if dbf.exists() else b""
        codec = _DBF_CODECS.get(byte[0]) if byte else None
        return (codec, "its .dbf") if codec else ("ascii", "")

    def _codec(self, text: str) -> str:
        plain = re.sub(r"[^a-z0-9]", "", text.lower())
        digits = re.sub(r"^(ansi|cp|windows|ibm|iso|oem|ldid)+", "", plain)
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
            why = f"{data[:40]!r} is not {self.codec}, as {self.said_by} says" if self.said_by else "no .cpg says"
            message = f"{at}: {why}; say which encoding the attributes have, as --encoding cp1252 or in a .cpg file"
            raise SourceError(message) from error
