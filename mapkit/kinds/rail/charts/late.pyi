# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.charts.destinations.board_charts import SECONDS_FOR_GOOD as SECONDS_FOR_GOOD
from mapkit.kinds.rail.charts.destinations.board_charts import solve_with_proof as solve_with_proof
from mapkit.kinds.rail.charts.destinations.minimal_changes import fewest_changes as fewest_changes
from mapkit.kinds.rail.charts.destinations.solver import SolvedChart as SolvedChart
from mapkit.kinds.rail.charts.destinations.solver import solve_chart as solve_chart
from mapkit.kinds.rail.charts.payoffs.board_readings import merged_amounts as merged_amounts
from mapkit.kinds.rail.charts.payoffs.compute import choose_model as choose_model
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs as compute_payoffs
from mapkit.kinds.rail.charts.payoffs.compute import matrix_to_rows as matrix_to_rows
from mapkit.kinds.rail.charts.payoffs.distances import board_distances as board_distances
