"""What compiles a document only where nothing of it is kept; the stub beside it lists it."""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
