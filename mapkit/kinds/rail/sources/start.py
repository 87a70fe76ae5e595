"""What a new railroad board begins with: a small example, or nothing."""

from importlib.resources import as_file, files
from typing import Final

from mapkit.document.boards import folder_files

PATTERNS: Final = ("board.toml", "*.csv", "charts/*.csv", "lines/*", "drawings/*", "layers/*")
"""Where the files of a source package are."""

_EMPTY = """\
title = "New board"
licence = "CC-BY-4.0"
credits = ["Land, lakes and borders: Natural Earth, public domain"]

[projection]
name = "albers" # or lambert, mercator, transverse-mercator, plate-carree, or crs with crs = "EPSG:..."
lat_1 = 29.5
lat_2 = 45.5
lat_0 = 37.5
lon_0 = -96

# millimetres; the legend strip lies below the map
[page]
width = 900
height = 600
margin = 30
legend = 70
# the map shows all of the board, and with an extent this box of degrees too: west, south, east, north
# extent = [-10.7, 51.3, -5.3, 55.5]

# countries (ISO codes) in which the place names of the station lists are looked up
[gazetteer]
countries = ["US"]

[[regions]]
id = "region-1"
name = "Region 1"
short = "R1"
colour = "#cbdff0"

# what a trip pays, in thousands, where there is no charts/payoffs.csv: base + rail * (miles by rail / 100);
# without this table these rates hold, those of the classic United States chart; a smaller map needs higher ones
# [payoffs]
# model = "rail"
# base = -0.2
# rail = 1.1
# step = 0.5

# how the board is drawn unless a command is given another theme; sizes in millimetres (docs/themes.md)
# [drawing]
# theme = "atlas" # classic, atlas, dark or print
# [drawing.sizes]
# city_text = 5.0

# GeoJSON files of yours in layers/, in place of the base map: finer coasts and lakes, borders, areas of the regions
# [layers]
# land = "layers/land.geojson"
# regions = "layers/regions.geojson" # each feature's property "region" is the id or name of a region

# Findings of "mapkit check" that are right as they are: "id" = "reason"
[accepted]
"""


def empty_files() -> dict[str, bytes]:
    """Return the files of a board without railroads and cities."""
    return {"board.toml": _EMPTY.encode()}


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template:
        return folder_files(template, PATTERNS)
