"""Lazily imported names of variants, needed only when one is applied; the stub lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
