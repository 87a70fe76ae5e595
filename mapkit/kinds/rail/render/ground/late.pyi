# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.render.ground.free_space import FreeSpace as FreeSpace
from mapkit.kinds.rail.render.ground.graticule import draw_compass as draw_compass
from mapkit.kinds.rail.render.ground.graticule import draw_graticule as draw_graticule
from mapkit.kinds.rail.render.ground.relief_picture import draw_relief as draw_relief
from mapkit.kinds.rail.render.ground.water_text import draw_water_names as draw_water_names
