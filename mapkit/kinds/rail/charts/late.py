"""Charts that are made where the author types none; the stub beside it lists what makes them."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
