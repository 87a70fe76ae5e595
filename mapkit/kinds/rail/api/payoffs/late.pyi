# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.api.loading import load as load
from mapkit.kinds.rail.charts.payoffs.distances import board_distances as board_distances
from mapkit.kinds.rail.render.doubt_page.page import render_doubt_page as render_doubt_page
