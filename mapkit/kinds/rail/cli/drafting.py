"""`mapkit draft`: a board of any region of the earth."""

from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages


def draft(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new board's name: letters, digits, hyphens.")],
    region: Annotated[
        str,
        typer.Option(
            "--region", metavar="NAME", help="A country by name or code, or several with commas: Ireland, IE,GB-NIR."
        ),
    ] = "",
    country: Annotated[
        str, typer.Option("--country", metavar="CODE", help="The same as --region, for codes: IE,GB-NIR.")
    ] = "",
    bbox: Annotated[
        str,
        typer.Option("--bbox", metavar="W,S,E,N", help="Only this box, in degrees; it may reach across longitude 180."),
    ] = "",
    polygon: Annotated[
        str,
        typer.Option(
            "--polygon",
            metavar="FILE|CORNERS",
            help="Only what lies in the polygons of this file (geodata), or between these corners: lon,lat lon,lat ...",
        ),
    ] = "",
    lines: Annotated[
        str,
        typer.Option(
            "--lines", metavar="FILE", help="Rail lines to use (geodata); railroads run on them. Made up by default."
        ),
    ] = "",
    cities: Annotated[
        int | None, typer.Option("--cities", metavar="N", help="How many cities, 3 to 120; 36 by default.")
    ] = None,
    railroads: Annotated[
        int | None,
        typer.Option("--railroads", metavar="N", help="How many railroads, 1 to 40; one for three cities by default."),
    ] = None,
    regions: Annotated[
        int | None, typer.Option("--regions", metavar="N", help="How many regions; what fits by default.")
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option("--include", metavar="PLACE", help="This place is to be a city. Repeatable.")
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", metavar="PLACE", help="This place is to be none. Repeatable.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Another number gives another draft; 1 by default.")
    ] = None,
    sheet: Annotated[
        str,
        typer.Option("--sheet", metavar="SHEET", help='A0 to A4, or "ANSI A" to "ANSI E"; what fits by default.'),
    ] = "",
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Draft a board again as one step, with the same options where you give no others; what you have "
            "changed stays.",
        ),
    ] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Draft a whole board of any region of the earth.

    It writes a source package in sources/NAME that builds as it is, for you to improve. Cities are the largest places,
    spread over the land; lines (without --lines), railroads and their names are made up. The same options give the same
    files.
    """
    given: dict[str, object] = {
        "region": ",".join(filter(None, (region, country))),
        "bbox": bbox,
        "polygon": polygon,
        "lines": lines,
        "cities": cities,
        "railroads": railroads,
        "regions": regions,
        "include": tuple(include or ()),
        "leave_out": tuple(leave_out or ()),
        "seed": seed,
        "sheet": sheet,
    }
    said = {key: value for key, value in given.items() if value not in ("", None, ())}
    with stages(f"draft {name}") as progress:
        if again:
            made = mapkit.draft_again(name, said, workspace=workspace, progress=progress)
        else:
            made = mapkit.draft(name, mapkit.DraftAsked.model_validate(said), workspace=workspace, progress=progress)
    if as_json:
        files = [path.relative_to(made.folder).as_posix() for path in made.files]
        summary = {"board": name, "folder": str(made.folder), "files": files, "assumed": made.assumed}
        print_result(texts.json_text({**summary, "figures": made.figures.model_dump()}))
        return
    print_result(str(made.folder))
    for sentence in made.assumed:
        print_message(sentence)
    figures = made.figures
    print_message(
        f"{figures.cities} cities, {figures.railroads} railroads, {figures.mileposts} mileposts; a trip takes "
        f"{figures.trip:.0f} mileposts and pays {figures.payoff:.1f} thousand, a game {figures.trips:.0f} trips"
    )
    print_message(f"build it with: mapkit build {name}")
