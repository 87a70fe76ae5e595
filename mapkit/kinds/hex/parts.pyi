# What few commands on boards of hexagons need; see parts.py.
from mapkit.kinds.hex.sampling.files import region_board as region_board
from mapkit.kinds.hex.sampling.region_sampling import SamplingOptions as SamplingOptions
