# Each name with the module that it is imported from when it is first used; see press.py.
from mapkit.press.outline import replace_text_by_outlines as replace_text_by_outlines
from mapkit.press.raster import svg_to_png as svg_to_png
from mapkit.press.vector import svg_to_pdf as svg_to_pdf
