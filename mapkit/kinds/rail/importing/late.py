"""Placing drawings, for modules that seldom need it: it loads all that traces. The stub beside it lists the names."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
