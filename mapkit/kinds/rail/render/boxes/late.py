"""Lazy imports of the contents of boxes, which few boards have; the stub beside it lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
