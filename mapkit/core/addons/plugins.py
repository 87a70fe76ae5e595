"""Entry points of installed packages: formats of export (`mapkit.exchange`) and kinds of boards (`mapkit.kinds`)."""

from functools import cache
from importlib.metadata import entry_points


@cache
def list_plugins(group: str) -> dict[str, str]:
    """Return name -> `module:name` of what packages add to a group, sorted; mapkit's own entry points are left out."""
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    return {point.name: point.value for point in points if not point.value.startswith("mapkit.")}
