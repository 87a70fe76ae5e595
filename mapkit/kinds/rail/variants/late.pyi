# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.variants.apply import apply_variants as apply_variants
from mapkit.kinds.rail.variants.imports import chart_files as chart_files
from mapkit.kinds.rail.variants.imports import with_charts as with_charts
from mapkit.kinds.rail.variants.variant import rail_shelf as rail_shelf
