"""What reading a chart needs only for a board's own one, for pictures, or for the page of doubts; the stub lists it."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
