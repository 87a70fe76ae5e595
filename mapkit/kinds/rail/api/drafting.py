"""Drafting a board, or drafting it again."""

from collections.abc import Sequence
from typing import Annotated

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.drafting.make_draft import Drafted, draft, draft_again
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.operations.options import Argument, Flag, Workspace


def draft_board(
    name: Annotated[str, Argument("", "NAME", "The new board's name: letters, digits, hyphens.")],
    *,
    region: Annotated[str | None, Flag("", "NAME")] = None,
    country: Annotated[str | None, Flag("", "CODE")] = None,
    bbox: Annotated[str | None, Flag("", "W,S,E,N")] = None,
    polygon: Annotated[str | None, Flag("", "FILE|CORNERS")] = None,
    lines: Annotated[str | None, Flag("", "FILE")] = None,
    cities: Annotated[int | None, Flag("", "N")] = None,
    railroads: Annotated[int | None, Flag("", "N")] = None,
    regions: Annotated[int | None, Flag("", "N")] = None,
    include: Annotated[Sequence[str], Flag("", "PLACE")] = (),
    leave_out: Annotated[Sequence[str], Flag("", "PLACE")] = (),
    seed: Annotated[int | None, Flag("", "N")] = None,
    sheet: Annotated[str | None, Flag("", "SHEET")] = None,
    again: bool = False,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Drafted:
    """Draft a whole board of any region of the earth.

    It writes a source package in sources/NAME that builds as it is, for you to improve. Cities are the largest places,
    spread over the land; lines (without --lines), railroads and their names are made up. The same options give the same
    files.

    Args:
        region: A country by name or code, or several with commas: Ireland, IE,GB-NIR.
        country: The same as --region, for codes: IE,GB-NIR.
        bbox: Only this box, in degrees; it may reach across longitude 180.
        polygon: Only what lies in the polygons of this file (geodata), or between these corners: lon,lat lon,lat ...
        lines: Rail lines to use (geodata); railroads run on them. Made up by default.
        cities: How many cities, 3 to 120; 36 by default.
        railroads: How many railroads, 1 to 40; one for three cities by default.
        regions: How many regions; what fits by default.
        include: This place is to be a city. Repeatable.
        leave_out: This place is to be none. Repeatable.
        seed: Another number gives another draft; 1 by default.
        sheet: A0 to A4, or "ANSI A" to "ANSI E"; what fits by default.
        again: Draft a board again as one step, with the same options where you give no others; what you have changed
            stays.

    Raises:
        MapkitError: As for `draft` and `draft_again`.
    """
    given: dict[str, object] = {
        "region": ",".join(filter(None, (region, country))),
        "bbox": bbox,
        "polygon": polygon,
        "lines": lines,
        "cities": cities,
        "railroads": railroads,
        "regions": regions,
        "include": tuple(include),
        "leave_out": tuple(leave_out),
        "seed": seed,
        "sheet": sheet,
    }
    said = {key: value for key, value in given.items() if value not in ("", None, ())}
    if again:
        return draft_again(name, said, workspace=workspace, progress=progress)
    return draft(name, DraftAsked.model_validate(said), workspace=workspace, progress=progress)
