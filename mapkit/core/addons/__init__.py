"""Add-ons: optional parts of mapkit; the rest works if they are deleted."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final, TypeVar

from mapkit.core.errors import MapkitError

ADD_ONS: Final = {
    "scan reading": ("mapkit.formats.recognising", "mapkit.kinds.rail.scanning"),
    "drafting": ("mapkit.kinds.rail.drafting",),
    "play-testing": (
        "mapkit.playing",
        "mapkit.kinds.rail.playing",
        "mapkit.kinds.cards.playing",
        "mapkit.kinds.hex.playing",
    ),
    "refereeing": ("mapkit.kinds.rail.refereeing", "mapkit.kinds.cards.refereeing", "mapkit.kinds.hex.refereeing"),
    "printing": ("mapkit.press",),
    "reading of OpenStreetMap and GTFS": ("mapkit.formats.transport",),
    "boards of hexagons": ("mapkit.kinds.hex",),
    "card games": ("mapkit.kinds.cards",),
}
"""Title of an add-on -> its packages. Each export format is an add-on, too."""

V = TypeVar("V")


class MissingAddOnError(MapkitError):
    """A required add-on was deleted."""


@cache
def is_present(module: str) -> bool:
    """Return whether a module exists; only its parent packages are imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def select_present(places: Mapping[str, V], package: str = "") -> dict[str, V]:
    """Return the entries of a registry whose modules exist.

    Args:
        places: Name -> `module:name`; or anything, if `package` is given.
        package: Package in which each name is a module.
    """
    return {
        name: place
        for name, place in places.items()
        if is_present(f"{package}.{name}" if package else str(place).partition(":")[0])
    }


def import_present(module: str) -> None:
    """Import a module; ignore the failure if it needs a deleted add-on."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if explain_missing(error) is None:
            raise


def explain_missing(error: ModuleNotFoundError) -> MissingAddOnError | None:
    """Return the error to raise for a missing module of an add-on; None for any other module."""
    missing = str(error.name)
    for title, packages in ADD_ONS.items():
        if any(f"{missing}.".startswith(f"{package}.") or package.startswith(f"{missing}.") for package in packages):
            return MissingAddOnError(f"{title} is not part of this installation of mapkit; install mapkit-boards again")
    return None
