"""Writing GeoPackages: data frames as layers and tables; the same frames give the same bytes with the same GDAL."""

import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from mapkit.core import heavy

_GDAL: Final = {
    "OGR_CURRENT_DATE": "2000-01-01T00:00:00.000Z",  # GDAL would write today's into the file
    "OGR_SQLITE_SYNCHRONOUS": "OFF",  # the file is temporary
}


class FrameLayer(NamedTuple):
    """A layer of a GeoPackage: its name, a frame, and the type of its shapes (None: a table without shapes)."""

    name: str
    frame: "heavy.pandas.DataFrame"
    kind: str | None


def geopackage_of(layers: Iterable[FrameLayer]) -> bytes:
    """Return a GeoPackage with a layer for each frame that has rows, in the given order.

    The column of shapes is called `geom`. A layer has the CRS of its frame, or none.
    """
    before = {name: heavy.pyogrio.get_gdal_config_option(name) for name in _GDAL}
    heavy.pyogrio.set_gdal_config_options(_GDAL)
    try:
        with tempfile.TemporaryDirectory(prefix="mapkit-") as folder, warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="'crs' was not provided")  # pixels and tables have none
            path = Path(folder) / "layers.gpkg"
            for name, frame, kind in layers:
                if len(frame):
                    shaped = {} if kind is None else {"geometry_type": kind, "geometry_name": "geom"}
                    heavy.pyogrio.write_dataframe(
                        frame, path, layer=name, driver="GPKG", append=path.exists(), **shaped
                    )
            return path.read_bytes()
    finally:
        heavy.pyogrio.set_gdal_config_options(before)
