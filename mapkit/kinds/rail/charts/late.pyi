# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.charts.destinations.board_charts import solve_with_proof as solve_with_proof
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs as compute_payoffs
from mapkit.kinds.rail.charts.payoffs.compute import matrix_to_rows as matrix_to_rows
from mapkit.kinds.rail.charts.payoffs.distances import board_distances as board_distances
