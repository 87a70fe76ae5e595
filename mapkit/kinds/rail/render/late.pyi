# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.render.board import lettered as lettered
from mapkit.kinds.rail.render.board import map_below as map_below
from mapkit.kinds.rail.render.checks import drawing_check as drawing_check
from mapkit.kinds.rail.render.drawn import with_drawn as with_drawn
from mapkit.kinds.rail.render.layout import lay_out as lay_out
from mapkit.kinds.rail.render.legend import with_legend as with_legend
from mapkit.kinds.rail.render.odds import render_odds as render_odds
