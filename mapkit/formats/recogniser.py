"""Lazy imports of the reader of text in pictures, an add-on; the stub beside it lists them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
