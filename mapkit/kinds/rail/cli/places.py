"""`mapkit place`."""

from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_result, table

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.places import LookedUp


def place(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of places, as a station list has them.")],
    near: Annotated[
        str | None,
        typer.Option(
            "--near",
            metavar="LINE|PLACE,...",
            help="A line or railroad of the board, or places: the nearest come first.",
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option("--board", "-b", metavar="BOARD", help="Whose cities, places and countries count."),
    ] = None,
    countries: Annotated[
        list[str] | None,
        typer.Option("--country", metavar="CODE", help="Search this country, such as IE; may be repeated."),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, max=100, help="The most candidates of a name.")
    ] = 5,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Look up places by name: position and population.

    Searches the countries of the board, or of the only board of the workspace; without a board, the whole world. Says
    whether a name is taken as it is. Candidates follow: places of exactly this name first, then those that have it as
    an alternative name, then those with a similar name. mapkit never takes an alternative name by itself; to use one,
    add a row to places.csv with the lon and lat shown here.
    """
    found = mapkit.look_up(*names, near=near, board=board, countries=countries or (), most=most, workspace=workspace)
    print_result(
        texts.json_text(found) if as_json else "\n\n".join(_text(one, near=near is not None) for one in found.places)
    )


def _text(one: "LookedUp", *, near: bool) -> str:
    if one.name is not None and one.lon is not None and one.lat is not None:
        head = f"{one.asked}: {one.name}, lon {one.lon:.5f}, lat {one.lat:.5f}, from the {one.source}"
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
