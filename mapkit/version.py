"""The version of mapkit, as `pyproject.toml` states it."""

__version__ = "0.2.0"
