# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.compiler.compile import compile_document as compile_document
from mapkit.kinds.rail.compiler.tracing import traced_track as traced_track
