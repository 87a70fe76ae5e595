# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.variants.apply import apply_variants as apply_variants
from mapkit.kinds.rail.variants.chart_imports import chart_files as chart_files
from mapkit.kinds.rail.variants.chart_imports import fill_in_charts as fill_in_charts
from mapkit.kinds.rail.variants.variant import rail_shelf as rail_shelf
