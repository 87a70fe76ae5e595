"""Libraries of geometry that few commands need; the stub beside it lists their sources."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
