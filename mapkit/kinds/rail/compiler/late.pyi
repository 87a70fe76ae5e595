# Each name with the module that it is imported from when it is first used; see late.py.
from mapkit.kinds.rail.compiler.network import points as points
from mapkit.kinds.rail.compiler.network_origins import network_origins as network_origins
from mapkit.kinds.rail.compiler.on_page import choose_frame as choose_frame
from mapkit.kinds.rail.compiler.on_page import lay_out as lay_out
from mapkit.kinds.rail.compiler.on_page import mileposts_by_id as mileposts_by_id
from mapkit.kinds.rail.compiler.places import find_places as find_places
from mapkit.kinds.rail.compiler.tracing import trace_for_good as trace_for_good
from mapkit.kinds.rail.compiler.tracing import trace_track as trace_track
from mapkit.kinds.rail.network.milepost_regions import city_regions as city_regions
from mapkit.kinds.rail.network.milepost_regions import nearest_regions as nearest_regions
from mapkit.kinds.rail.network.milepost_regions import region_centres as region_centres
