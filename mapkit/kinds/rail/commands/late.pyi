# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.core.neighbours import find_nearest as find_nearest
from mapkit.formats.lines.features import parse_crs as parse_crs
from mapkit.kinds.rail.trace.naming import to_geocentric as to_geocentric
from mapkit.kinds.rail.trace.spacing.mileposts import Anchor as Anchor
from mapkit.kinds.rail.trace.spacing.mileposts import Section as Section
from mapkit.kinds.rail.trace.spacing.mileposts import SpacingRule as SpacingRule
from mapkit.kinds.rail.trace.spacing.mileposts import space_mileposts as space_mileposts
