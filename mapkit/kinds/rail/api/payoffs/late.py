"""Names needed only for a board's own chart, for pictures, or for the page of doubts; the stub lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
