# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.drawing.picture_file import measure_picture as measure_picture
from mapkit.kinds.rail.sources.layers import read_layer as read_layer
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_places as find_swapped_places
