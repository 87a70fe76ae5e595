"""Lazy imports of an add-on, which may be deleted; the stub lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
