# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.importing.placing import bring_over as bring_over
from mapkit.kinds.rail.importing.placing import place_again as place_again
from mapkit.kinds.rail.importing.placing_changes import placing_report as placing_report
