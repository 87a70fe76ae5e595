# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.render.board import add_names_to_map as add_names_to_map
from mapkit.kinds.rail.render.board import draw_map_below_names as draw_map_below_names
from mapkit.kinds.rail.render.board import render_board as render_board
from mapkit.kinds.rail.render.checks import get_drawing_check as get_drawing_check
from mapkit.kinds.rail.render.drawn_elements import with_drawn as with_drawn
from mapkit.kinds.rail.render.layout import lay_out as lay_out
from mapkit.kinds.rail.render.legend import add_legend as add_legend
from mapkit.kinds.rail.render.odds import render_odds as render_odds
