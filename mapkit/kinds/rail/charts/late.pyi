# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.charts.destinations.solved import solve_for_good as solve_for_good
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs as compute_payoffs
from mapkit.kinds.rail.charts.payoffs.compute import rows_of as rows_of
from mapkit.kinds.rail.charts.payoffs.distances import board_distances as board_distances
