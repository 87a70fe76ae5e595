"""Places that were looked up, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result, table

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.places import LookedUp, PlacesLookedUp


def show_places(found: "PlacesLookedUp", near: str | None) -> None:
    """Print names with their places and candidates."""
    print_result("\n\n".join(_text(one, near=near is not None) for one in found.places))


def _text(one: "LookedUp", *, near: bool) -> str:
    if one.name is not None and one.lon is not None and one.lat is not None:
        head = f"{one.asked}: {one.name}, lon {one.lon:.5f}, lat {one.lat:.5f}, from the {one.source}"
    elif one.x is not None and one.y is not None:
        head = f"{one.asked}: {one.name}, x {one.x:g}, y {one.y:g}, from the {one.source}"
    elif one.offered and one.offered[0].fits != "similar":
        head = f"{one.asked}: choose one of these"
    else:
        head = f"{one.asked}: not found" + ("; spelled alike:" if one.offered else "")
    if not one.offered:
        return head
    columns = ["", "country", "lon", "lat", "people", *(["miles"] if near else []), "also called"]
    rows = [
        (
            place.name,
            place.country,
            f"{place.lon:.5f}",
            f"{place.lat:.5f}",
            f"{place.population:,}",
            *([f"{place.miles:,.0f}" if place.miles is not None else ""] if near else []),
            place.called,
        )
        for place in one.offered
    ]
    return f"{head}\n{table(columns, rows, right=(2, 3, 4, 5) if near else (2, 3, 4))}"
