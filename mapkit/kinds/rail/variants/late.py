"""What a program needs of variants only where one is applied; the stub beside it lists it."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
