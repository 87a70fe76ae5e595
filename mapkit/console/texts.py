"""Lazily imported names for printing results, listed in the stub `texts.pyi`."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
