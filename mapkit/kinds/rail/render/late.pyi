# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.render.odds import render_odds as render_odds
