# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.compiler.tracing import trace_track as trace_track
from mapkit.kinds.rail.compiler.tracing import traced_track as traced_track
from mapkit.kinds.rail.network.region_of import Regions as Regions
