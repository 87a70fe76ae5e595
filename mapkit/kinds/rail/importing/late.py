"""Lazy imports of functions that place drawings, since they load all modules for tracing; the stub lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
