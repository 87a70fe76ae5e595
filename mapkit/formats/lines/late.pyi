# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.formats.transport.overpass import read_overpass as read_overpass
from mapkit.formats.transport.overpass import split_tag_column as split_tag_column
from mapkit.formats.transport.transit import read_gtfs as read_gtfs
