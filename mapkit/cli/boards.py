"""`mapkit check` and `new`, for a board of any kind, and the results of `build` and `verify`."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import ask, print_message, print_result, stages
from mapkit.core.errors import MapkitError, UnknownNameError
from mapkit.core.plurals import join_some
from mapkit.document.boards import EXAMPLE, NOTHING
from mapkit.document.workspace import open_workspace
from mapkit.kinds.registry import get_kind

if TYPE_CHECKING:
    from mapkit.document.bundle_manifest import BundleVerification
    from mapkit.kinds.kind import Built

_FORMS = ("text", "json", "sarif", "commands")
_WORLD = (-180.0, -90.0, 180.0, 90.0)


def show_verified(found: "BundleVerification") -> None:
    """Print what of a bundle does not belong together, and whether its sources have changed."""
    for names, what in ((found.missing, "is missing"), (found.changed, "is not as it was built")):
        if names:
            print_result("\n".join(f"{found.folder}/{name}: {what}" for name in names))
    if found.exit_code:
        print_message(f"the bundle does not belong together; build it again: mapkit build {found.board}")
    else:
        variants = f" with {', '.join(found.variants)}" if found.variants else ""
        print_result(f"{found.folder}: the files belong together, a build of {found.board}{variants}")
    if not found.source_folder:
        print_message(f"the sources of {found.board} are not here")
    elif found.changed_sources:
        print_message(f"{found.source_folder} has changed since: {join_some(found.changed_sources)}")
    else:
        print_message(f"it was built from {found.source_folder} as it is now")


def show_built(built: "Built") -> None:
    """Print the files of a bundle, and what there is to say about them."""
    print_message(built.sentences[0])
    print_result("\n".join(str(path) for path in built.files))
    for text in built.sentences[1:]:
        print_message(text)


def check(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="text|json|sarif|commands",
            help="How to print them; commands of --gaps are for mapkit do.",
        ),
    ] = "text",
    every: Annotated[bool, typer.Option("--all", help="List notes and accepted findings too.")] = False,
    gaps: Annotated[
        bool,
        typer.Option("--gaps", help="List places where a link may be missing instead, the likeliest first."),
    ] = False,
    as_json: JsonOpt = False,
    drawing: Annotated[
        bool,
        typer.Option(
            "--drawing/--no-drawing",
            help="Also lay the board out and check its drawing (R), and judge payoffs by one another (P08 to P11).",
        ),
    ] = True,
) -> None:
    """Check a board: network, charts, rules and drawing.

    Lists errors and warnings; notes and accepted findings are counted. Exits 0 if nothing is wrong, 1 if there are
    errors that the author has not accepted. Findings are accepted in board.toml under [accepted], by id, with a reason.
    --verbose names the rows of the rules behind a finding.
    """
    if form not in _FORMS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(_FORMS)}", param_hint="--format")
    if form == ("sarif" if gaps else "commands"):
        raise typer.BadParameter(
            "missing links have no SARIF; give text, json or commands" if gaps else "only --gaps has commands",
            param_hint="--format",
        )
    if gaps:
        found_gaps = mapkit.find_gaps(board, variants=variants or (), workspace=workspace)
        if form == "commands":
            commands = found_gaps.commands(every=every)
            (print_result if commands else print_message)(commands or "no link is likely; --all prints all commands")
        else:
            print_result(texts.json_text(found_gaps) if as_json or form == "json" else found_gaps.text(every=every))
        return
    with stages(f"check {board}") as progress:
        checked = mapkit.check_board(
            board, variants=variants or (), workspace=workspace, drawing=drawing, progress=progress
        )
    found, report = checked.found, checked.found.report
    if as_json or form == "json":
        print_result(texts.json_text(report))
    elif form == "sarif":
        print_result(texts.json_text(texts.sarif(report, checked.checks, folder=f"sources/{found.board}")))
    else:
        show_report(report, found.title, folder=_package_folder(board, workspace), every=every)
    sys.exit(0 if report.ok else 1)


def _package_folder(board: str, workspace: Path | None) -> Path | None:
    with suppress(MapkitError):
        return open_workspace(workspace).board_folder(board)
    return None


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new board's name: letters, digits, hyphens.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="BOARD", help="Copy this board, not the small example; 'empty': start from nothing."
        ),
    ] = None,
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="The kind of board, if it is not a copy.")
    ] = "rail",
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            metavar="COUNTRY",
            help="Make an empty board of this country, or of several with commas; or a board of hexagons.",
        ),
    ] = None,
    bounds: Annotated[
        str | None, typer.Option("--bounds", metavar="W,S,E,N", help="Only this part of the region, in degrees.")
    ] = None,
    hex_km: Annotated[
        float | None,
        typer.Option("--hex-km", metavar="KM", min=1.0, max=2000.0, help="From side to side of a hexagon, kilometres."),
    ] = None,
    columns: Annotated[
        int | None,
        typer.Option("--columns", metavar="N", min=3, max=500, help="Columns of hexagons, in place of --hex-km."),
    ] = None,
    cities: Annotated[
        int | None, typer.Option("--cities", metavar="N", min=2, max=300, help="How many cities.")
    ] = None,
    mountains: Annotated[
        float | None,
        typer.Option(
            "--mountains", metavar="PERCENT", min=0.0, max=100.0, help="Per cent of the land at most; 25 if not given."
        ),
    ] = None,
    rivers: Annotated[
        Literal["cells", "edges", "none"] | None,
        typer.Option(
            "--rivers", metavar="cells|edges|none", help="Rivers as hexagons of water (cells), on edges, or not at all."
        ),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Start a new board in sources/NAME, which builds as it is.

    With --from empty and --region, projection, page, gazetteer and extent are those of the region; on a terminal
    mapkit asks for it. With --kind hex and --region, land, water, mountains and cities come from shipped geography, and
    colours of cities are solved.
    """
    asking = (
        source == NOTHING
        and region is None
        and (sys.stdin.isatty() and sys.stderr.isatty())
        and get_kind(kind, file="--kind").empty_of_region
    )
    if source not in (None, NOTHING) and region is not None:
        raise typer.BadParameter("a board is a copy or of a region; give one of them", param_hint="--region")
    if (
        not asking
        and region is None
        and any(one is not None for one in (bounds, hex_km, columns, cities, mountains, rivers))
    ):
        raise typer.BadParameter("this is for boards of a region; give --region too", param_hint="--hex-km")
    made: mapkit.NewBoard | None = None
    while made is None:
        region = _ask_region() if asking else region
        of = None
        if region:
            of = mapkit.RegionAsked(region, _bounds(bounds), hex_km, columns, cities, mountains, rivers or "cells")
        try:
            made = mapkit.new(name, source or EXAMPLE, kind=kind, region=of, workspace=workspace)
        except UnknownNameError as error:
            if not asking or not region:
                raise
            print_message(str(error))
    if as_json:
        files = [path.relative_to(made.folder).as_posix() for path in made.files]
        print_result(texts.json_text({"board": name, "folder": str(made.folder), "files": files, "notes": made.notes}))
        return
    print_result(str(made.folder))
    for note in made.notes:
        print_message(note)
    if len(made.files) == 1:
        print_message(f"1 file; change it, then run: mapkit check {name}")
    else:
        print_message(f"{len(made.files)} files; build it with: mapkit build {name}")


def _ask_region() -> str:
    """Return the countries of a new board, typed on a terminal; empty to leave them open."""
    ask("Which region? Countries by name or code, such as Ireland or IE,GB-NIR; Enter leaves it open: ")
    return sys.stdin.readline().strip()


def _bounds(text: str | None) -> tuple[float, float, float, float] | None:
    if text is None:
        return None
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        west = south = east = north = 0.0
    if not (_WORLD[0] <= west < east <= _WORLD[2] and _WORLD[1] <= south < north <= _WORLD[3]):
        raise typer.BadParameter(
            f"{text!r} is not west, south, east and north in degrees; write such as -10,36,-6,43", param_hint="--bounds"
        )
    return west, south, east, north
