"""Writer of GeoPackages: data frames become layers and tables, with the same bytes for the same frames and GDAL."""

import sqlite3
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mapkit.core import heavy
from mapkit.core.errors import OutputError

_GDAL_OPTIONS: Final = {
    "OGR_CURRENT_DATE": "2000-01-01T00:00:00.000Z",  # GDAL would write today's into the file
    "OGR_SQLITE_SYNCHRONOUS": "OFF",  # the file is temporary
}
_SQLITE_VERSION: Final = slice(96, 100)
"""Where a database says by which SQLite it was written last: GDAL's, not that of Python."""
_CREATE_RELATIONS: Final = """CREATE TABLE gpkgext_relations (id INTEGER PRIMARY KEY AUTOINCREMENT,
    base_table_name TEXT NOT NULL, base_primary_column TEXT NOT NULL DEFAULT 'id',
    related_table_name TEXT NOT NULL, related_primary_column TEXT NOT NULL DEFAULT 'id',
    relation_name TEXT NOT NULL, mapping_table_name TEXT NOT NULL UNIQUE)"""
_INSERT_RELATION: Final = """INSERT INTO gpkgext_relations (base_table_name, base_primary_column, related_table_name,
    related_primary_column, relation_name, mapping_table_name) VALUES (?, 'fid', ?, 'fid', ?, ?)"""
_INSERT_EXTENSION: Final = """INSERT INTO gpkg_extensions (table_name, column_name, extension_name, definition, scope)
    VALUES (?, NULL, 'gpkg_related_tables', 'http://www.geopackage.org/18-000.html', 'read-write')"""


_CREATE_PROJECTS: Final = "CREATE TABLE qgis_projects (name TEXT PRIMARY KEY, metadata BLOB, content BLOB)"
_PROJECT_METADATA: Final = '{"last_modified_time": "2000-01-01T00:00:00", "last_modified_user": ""}'


class FrameLayer(NamedTuple):
    """A layer of a GeoPackage: name, data frame, and geometry type (None: a table without geometry)."""

    name: str
    frame: "heavy.pandas.DataFrame"
    kind: str | None


class Relation(NamedTuple):
    """Relation between two layers: `columns` of `layer` hold the `id` of rows of `related`."""

    layer: str
    columns: tuple[str, ...]
    related: str

    @property
    def table(self) -> str:
        """The table that pairs their rows."""
        return f"{self.layer}_{self.related}"


def write_geopackage(
    layers: Iterable[FrameLayer],
    relations: Sequence[Relation] = (),
    *,
    projects: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """Return a GeoPackage with a layer for each frame with rows, in the given order.

    The column of shapes is called `geom`. A layer has the CRS of its frame, or none. Relations are written by the
    extension for related tables (OGC 18-000): foreign keys would keep a GIS from saving layers one by one.

    Args:
        layers: The layers.
        relations: Between those layers; one with a layer that has no rows is left out.
        projects: Projects of QGIS (QGZ) by name, which it offers to open from the file.

    Raises:
        OutputError: The temporary file cannot be written, such as on a full disk.
    """
    previous_options = {name: heavy.pyogrio.get_gdal_config_option(name) for name in _GDAL_OPTIONS}
    heavy.pyogrio.set_gdal_config_options(_GDAL_OPTIONS)
    try:
        with tempfile.TemporaryDirectory(prefix="mapkit-") as folder, warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="'crs' was not provided")  # pixels and tables have none
            path, written_layers = Path(folder) / "layers.gpkg", set[str]()
            for name, frame, kind in layers:
                if len(frame):
                    geometry_options = {} if kind is None else {"geometry_type": kind, "geometry_name": "geom"}
                    heavy.pyogrio.write_dataframe(
                        frame, path, layer=name, driver="GPKG", append=path.exists(), **geometry_options
                    )
                    written_layers.add(name)
            usable_relations = [
                relation for relation in relations if {relation.layer, relation.related} <= written_layers
            ]
            return _write_tables(path, usable_relations, projects)
    except (heavy.pyogrio.errors.DataSourceError, heavy.pyogrio.errors.FeatureError, sqlite3.Error) as error:
        raise OutputError(
            f"{tempfile.gettempdir()}: a temporary file of the GeoPackage cannot be written; free some space, raise "
            "the limit of the size of files (ulimit -f), or choose another folder by TMPDIR"
        ) from error
    finally:
        heavy.pyogrio.set_gdal_config_options(previous_options)


def _write_tables(path: Path, relations: Sequence[Relation], projects: Mapping[str, bytes]) -> bytes:
    """Return a GeoPackage with relations between its layers, and with projects."""
    previous_bytes = path.read_bytes()
    if not (relations or projects):
        return previous_bytes
    with closing(sqlite3.connect(path)) as database, database:
        if projects:
            database.execute(_CREATE_PROJECTS)
        for name, content in sorted(projects.items()):
            database.execute("INSERT INTO qgis_projects VALUES (?, ?, ?)", (name, _PROJECT_METADATA, content.hex()))
        if relations:
            _write_relations(database, relations)
    written_bytes = path.read_bytes()
    return (
        written_bytes[: _SQLITE_VERSION.start] + previous_bytes[_SQLITE_VERSION] + written_bytes[_SQLITE_VERSION.stop :]
    )


def _write_relations(database: sqlite3.Connection, relations: Sequence[Relation]) -> None:
    """Write relations between layers."""
    database.execute(_CREATE_RELATIONS)
    database.execute(_INSERT_EXTENSION, ("gpkgext_relations",))
    for relation in relations:
        kind_by_table = dict(database.execute("SELECT table_name, data_type FROM gpkg_contents"))
        row = (relation.layer, relation.related, kind_by_table[relation.related], relation.table)
        database.execute(_INSERT_RELATION, row)
        database.execute(_INSERT_EXTENSION, (relation.table,))
        database.execute(
            f'CREATE TABLE "{relation.table}" '  # without a key of its own QGIS calls it a broken layer
            "(id INTEGER PRIMARY KEY, base_id INTEGER NOT NULL, related_id INTEGER NOT NULL)"
        )
        select_pairs = " UNION ".join(
            f'SELECT o.fid, r.fid FROM "{relation.layer}" o JOIN "{relation.related}" r ON o."{column}" = r."id"'  # noqa: S608 - names of ours
            for column in relation.columns
        )
        database.execute(f'INSERT INTO "{relation.table}" (base_id, related_id) {select_pairs} ORDER BY 1, 2')
