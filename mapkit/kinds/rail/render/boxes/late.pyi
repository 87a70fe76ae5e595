# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.render.boxes.contents import choose_inset_window as choose_inset_window
from mapkit.kinds.rail.render.boxes.contents import draw_boxes as draw_boxes
from mapkit.kinds.rail.render.boxes.contents import draw_panels as draw_panels
from mapkit.kinds.rail.render.boxes.contents import fit_inside as fit_inside
from mapkit.kinds.rail.render.boxes.contents import fit_paragraphs as fit_paragraphs
from mapkit.kinds.rail.render.boxes.contents import inner_area as inner_area
from mapkit.kinds.rail.render.boxes.contents import measure_box_picture as measure_box_picture
from mapkit.kinds.rail.render.boxes.contents import measure_smallest_text as measure_smallest_text
