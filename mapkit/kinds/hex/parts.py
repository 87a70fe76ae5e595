"""What few commands on boards of hexagons need, imported when it is first used; the stub lists it."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
