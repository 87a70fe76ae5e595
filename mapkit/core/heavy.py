"""Lazy imports of libraries that load slowly: each is imported on first use, as `heavy.pandas`.

They are used only through this module; the linter forbids importing them elsewhere (TID253 in `pyproject.toml`). NumPy
and Shapely are imported as usual, except by modules that each command loads. The stub `heavy.pyi` lists all. In
annotations they need quotes: `"heavy.pandas.DataFrame"`.
"""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
