"""The `mapkit` program: its commands, and the one place where errors become messages and exit codes.

Commands import what they need when they run, so that `mapkit --help` starts at once.
"""

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from mapkit.cli.destinations import destinations_app
from mapkit.cli.options import BoardArg, JsonOpt, ThemeOpt, VariantOpt, WorkspaceOpt
from mapkit.cli.payoffs import payoffs_app
from mapkit.cli.rules import rules_app
from mapkit.cli.steps import steps_app
from mapkit.cli.variants import variant_app
from mapkit.errors import MapkitError
from mapkit.version import __version__

INTERRUPTED = 130

app = typer.Typer(
    name="mapkit",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Make, check and draw the maps of railroad board games of the Rail Baron family.",
    epilog="Results go to stdout, messages to stderr. Exit codes: 0 done, 1 something is wrong with the input, "
    "2 used wrongly. Start with: mapkit build usa",
)
app.add_typer(steps_app)
app.add_typer(payoffs_app)
app.add_typer(destinations_app)
app.add_typer(rules_app)
app.add_typer(variant_app)


def main() -> None:
    """Run the program; a MapkitError becomes a message and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except MapkitError as error:
        sys.stderr.write(f"mapkit: {error}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as end:  # Typer turns Ctrl-C into an exit without a word
        if end.code == INTERRUPTED:
            _interrupted()
        raise
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _interrupted() -> NoReturn:
    sys.stderr.write("mapkit: interrupted; nothing was left half-written\n")
    sys.exit(INTERRUPTED)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mapkit {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Make, check and draw the maps of railroad board games of the Rail Baron family."""


@app.command()
def build(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Write the bundle there, not to build/BOARD/."),
    ] = None,
    allow_errors: Annotated[
        bool, typer.Option("--allow-errors", help="Write the bundle even if the checks find errors.")
    ] = False,
    as_json: JsonOpt = False,
) -> None:
    """Compile, check and draw a board; write its bundle to build/BOARD/.

    With variants the bundle goes to build/BOARD+VARIANT.../.
    The bundle: board.json, board.svg, payoffs.csv, destinations.csv, findings.json, report.json. All files are
    written or none; with errors in the checks, none.
    """
    from mapkit.cli import boards  # noqa: PLC0415

    boards.build(
        board, variants=variants or (), workspace=workspace, out=out, allow_errors=allow_errors, as_json=as_json
    )


@app.command()
def draw(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "classic",
    brightness: Annotated[
        int, typer.Option("--brightness", min=-1, max=1, help="-1 darker, 1 brighter than the theme.")
    ] = 0,
    contrast: Annotated[int, typer.Option("--contrast", min=0, max=1, help="1 for higher contrast.")] = 0,
    dot_names: Annotated[
        bool, typer.Option("--dot-names/--no-dot-names", help="Names of mileposts that are no cities.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A .svg, .png or .pdf; BOARD-THEME.svg by default."),
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", help="Dots per inch of a PNG.")] = 150.0,
    fonts: Annotated[
        str, typer.Option("--fonts", metavar="name|embed|paths", help="How an SVG brings its fonts along.")
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Draw a board in a theme, as SVG, PNG or PDF.

    Themes are classic, atlas, dark and print, or a file of your own; mapkit themes lists them. What is where on the
    page is the same in every theme.
    """
    from mapkit.cli import drawing  # noqa: PLC0415

    drawing.draw(
        board,
        variants=variants or (),
        workspace=workspace,
        theme=theme,
        brightness=brightness,
        contrast=contrast,
        dot_names=dot_names,
        out=out,
        dpi=dpi,
        fonts=fonts,
        as_json=as_json,
    )


@app.command()
def themes(as_json: JsonOpt = False) -> None:
    """List the themes that boards are drawn in."""
    from mapkit.cli import drawing  # noqa: PLC0415

    drawing.themes(as_json=as_json)


@app.command()
def colours(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "classic",
    solve: Annotated[
        bool, typer.Option("--solve", help="Find colours and patterns that are far apart and near the liveries.")
    ] = False,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="PA,NYC,...", help="Railroads that keep their colour and pattern.")
    ] = None,
    near: Annotated[
        float, typer.Option("--near", min=0, max=200, help="How far a colour may go (CIEDE2000); 100 for anywhere.")
    ] = 22,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.csv", help="Write the solved railroads.csv there.")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Say how far apart the colours of railroads that touch are, for people with any colour vision; or solve them.

    Prints CIEDE2000 differences under normal sight and as people without red, green or blue cones see them. Railroads
    nearer than 10 must have different patterns.
    """
    from mapkit.cli import drawing  # noqa: PLC0415

    drawing.colours(
        board,
        variants=variants or (),
        workspace=workspace,
        theme=theme,
        solve=solve,
        keep=keep,
        near=near,
        out=out,
        as_json=as_json,
    )


@app.command()
def check(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|sarif", help="How to print the findings.")
    ] = "text",
    as_json: JsonOpt = False,
    drawing: Annotated[
        bool, typer.Option("--drawing/--no-drawing", help="Lay the board out and check its drawing too (R).")
    ] = True,
) -> None:
    """Check a board: network, destination charts, payoff chart, rules, drawing.

    Exits 0 if nothing is wrong, 1 if there are errors that the author has not accepted. Findings are accepted in
    board.toml under [accepted], by id, with a reason.
    """
    if form not in ("text", "json", "sarif"):
        raise typer.BadParameter(f"{form!r} is none of text, json, sarif", param_hint="--format")
    from mapkit.cli import boards  # noqa: PLC0415

    form = "json" if as_json else form
    sys.exit(boards.check(board, variants=variants or (), workspace=workspace, form=form, drawing=drawing))


@app.command()
def report(
    board: BoardArg,
    railroads: Annotated[
        str | None,
        typer.Option("--railroads", "-r", metavar="PA,NYC,...", help="Report on owning these railroads together."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE.html", help="Write it as a page to hand around: map, tables, pictures."),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Report on a board: railroads, best pairs and triples, cities; or on a set of railroads.

    A row a railroad: price, cities served, service %, monopoly %, railroads it connects with, service per thousand.
    A row a city: its chance as a destination and the railroads that serve it. With --railroads: access, monopoly,
    foreign travel, fees collected, average haul, and the city pairs that they shorten. With --html: one file with the
    board to pan and search, routes and payoffs of any two cities, odds, and the findings of mapkit check.
    """
    if html is not None and railroads is not None:
        raise typer.BadParameter("the page is of the whole board; leave --railroads away", param_hint="--html")
    if html is not None:
        from mapkit.cli import boards  # noqa: PLC0415

        boards.report_page(board, out=html, variants=variants or (), workspace=workspace, as_json=as_json)
        return
    if railroads is not None:
        from mapkit.cli import holdings  # noqa: PLC0415

        holdings.holding(board, railroads=railroads, variants=variants or (), workspace=workspace, as_json=as_json)
        return
    from mapkit.cli import boards  # noqa: PLC0415

    boards.report(board, variants=variants or (), workspace=workspace, as_json=as_json)


@app.command()
def route(
    start: Annotated[str, typer.Argument(metavar="FROM", help="A city or milepost, by name or id.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="A city or milepost, by name or id.")],
    board: Annotated[
        str, typer.Option("--board", "-b", metavar="BOARD", help="The board, as for mapkit build.")
    ] = "usa",
    railroads: Annotated[
        str | None,
        typer.Option("--railroads", "-r", metavar="PA,NYC,...", help="Ride these railroads only."),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the route of fewest mileposts between two places.

    Among routes of as many mileposts the one with fewest changes of railroad is taken, then the shortest in miles.
    Prints every step, and mileposts, miles, payoff and railroads used.
    """
    from mapkit.cli import boards  # noqa: PLC0415

    boards.route(
        start, end, board=board, railroads=railroads, variants=variants or (), workspace=workspace, as_json=as_json
    )


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new board's name: letters, digits, hyphens.")],
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="BOARD", help="Copy this board instead of the small example."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Start a new board: a small source package in sources/NAME that builds as it is."""
    from mapkit.cli import boards  # noqa: PLC0415

    boards.new(name, source=source, workspace=workspace, as_json=as_json)


@app.command()
def edit(
    board: BoardArg,
    workspace: WorkspaceOpt = None,
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="The port on this machine; 0 for any free one.")
    ] = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    new: Annotated[
        str | None,
        typer.Option(
            metavar="example|empty|BOARD", help="Make a new board first: the small example, empty, or a copy."
        ),
    ] = None,
) -> None:
    """Open a board in the editor, a page in the browser.

    Every step is kept at once in sources/BOARD.journal and can be undone, also after the editor was closed; Save
    writes the files of the source package. A shipped board is copied into sources/ first. Only this machine can reach
    the page. A board that does not exist is offered to be made: --new says with what it begins.
    """
    from mapkit.cli import edit as command  # noqa: PLC0415

    command.edit(board, new=new, workspace=workspace, port=port, show=show)


@app.command()
def georeference(
    board: Annotated[
        str,
        typer.Argument(metavar="BOARD|CSV", help="A board with control_points.csv, or such a file by itself (.csv)."),
    ],
    workspace: WorkspaceOpt = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="affine|projective|tps", help="The board's, or affine, by default."),
    ] = None,
    projection: Annotated[
        str | None,
        typer.Option("--projection", "-p", metavar="NAME|PROJ|EPSG:n", help="The picture's; the board's by default."),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Draw the points, residual arrows and the warped grid."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Say how well control points place a picture that lines were traced over.

    Prints residuals in pixels and miles, the error at each point when it is left out, the worst point, and warnings,
    such as a spline that bends to fit one bad point.
    """
    from mapkit.cli import georeference as command  # noqa: PLC0415

    command.georeference(board, workspace=workspace, model=model, projection=projection, svg=svg, as_json=as_json)


@app.command("import")
def import_lines(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="GeoJSON, GPKG, SHP, KML, KMZ, GML, FGB, SVG; or a board.")
    ],
    into: Annotated[
        str | None,
        typer.Option(
            "--into", metavar="BOARD", help="Write the lines into this board's source package; else only look."
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", "-c", metavar="NAME", help="The attribute with the railroad; 'railroad' by default."),
    ] = None,
    name_column: Annotated[
        str | None, typer.Option("--name-column", metavar="NAME", help="The attribute with the mileposts' names.")
    ] = None,
    crs: Annotated[
        str | None, typer.Option("--crs", metavar="EPSG:n", help="The CRS of files that state none; never guessed.")
    ] = None,
    layers: Annotated[
        list[str] | None, typer.Option("--layer", "-l", metavar="NAME", help="Read this layer only; may be repeated.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", metavar="NAME", help="Of a Shapefile's attributes, such as cp1252.")
    ] = None,
    key_from: Annotated[
        str,
        typer.Option("--key-from", metavar="auto|own|group|layer|id|class", help="What tells the railroad in an SVG."),
    ] = "auto",
    rings: Annotated[bool, typer.Option("--rings", help="Take the rings of polygons as lines.")] = False,
    mapped: Annotated[
        list[str] | None,
        typer.Option(
            "--map", "-m", metavar="KEY=RAILROAD", help="Whose the lines of a key are; 'KEY=' leaves them out."
        ),
    ] = None,
    new_railroads: Annotated[
        bool, typer.Option("--new-railroads", help="Add a railroad to railroads.csv for every key that is none.")
    ] = False,
    countries: Annotated[
        list[str] | None,
        typer.Option("--country", metavar="CODE", help="Where an RB3 map lies, such as US; 'none' for no country."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over the files of an earlier import.")] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take traced lines and mileposts from files of geodata or drawings into a board.

    Prints what each file holds, key by key, and whose the lines are. Geodata goes to lines/NAME.geojson in degrees;
    drawings in pixels are copied, and control_points.csv places them. A file of a whole board becomes a new source
    package: what mapkit export wrote in a format that is read back, or an RB3 map, which is placed by the names of its
    cities. Options for lines take the lines out of such a file instead. All files are written or none.
    """
    from mapkit.cli import tracing  # noqa: PLC0415

    tracing.import_lines(
        files,
        into=into,
        column=column,
        name_column=name_column,
        crs=crs,
        layers=layers or (),
        encoding=encoding,
        key_from=key_from,
        rings=rings,
        mapped=mapped or (),
        new_railroads=new_railroads,
        countries=countries or (),
        overwrite=overwrite,
        workspace=workspace,
        as_json=as_json,
    )


@app.command()
def trace(
    board: BoardArg,
    until: Annotated[
        str,
        typer.Option("--until", "-u", metavar="import|georeference|node|space|segment", help="The last stage to run."),
    ] = "segment",
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Go on from this stage's file, perhaps edited in QGIS."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.gpkg", help="Write what the last stage made, for QGIS and --from."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Trace a board stage by stage and say what each stage changed.

    import reads the files, georeference places pixels, node joins lines, space places mileposts by rule, segment makes
    the network. Prints lines, vertices, miles, mileposts, and every kind of join and repair with its number.
    """
    from mapkit.cli import tracing  # noqa: PLC0415

    tracing.trace(board, until=until, start=start, out=out, workspace=workspace, as_json=as_json)


_SCHEMAS = (
    "board",
    "board-diff",
    "destination-diff",
    "destination-odds",
    "destination-regions",
    "destinations",
    "findings",
    "georeference",
    "holding",
    "payoffs-check",
    "payoffs-compute",
    "payoffs-diff",
    "payoffs-read",
    "payoffs-repair",
    "report",
    "route",
    "rules",
    "variant",
)


@app.command()
def export(
    board: BoardArg,
    to: Annotated[
        str, typer.Option("--to", "-t", metavar="FORMAT[,FORMAT...]|all", help="Formats; mapkit formats lists them.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where the files go.")],
    variants: VariantOpt = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="Of tts: the address of the folder where you put its pictures."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board in formats of other programs: engines, virtual tables, GIS, graphs, spreadsheets.

    One format's files go into the folder; of several, each gets a folder of its name, and manifest.json lists all
    files with their hashes. Says what a format does not hold. All files are written or none.
    """
    from mapkit.cli import exporting  # noqa: PLC0415

    exporting.export(
        board, to=to, out=out, variants=variants or (), base_url=base_url, workspace=workspace, as_json=as_json
    )


@app.command()
def sheets(
    board: BoardArg,
    variants: VariantOpt = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="GROUP[,GROUP...]",
            help="Of reference, rules, destinations, payoffs, deeds, engines, chips, pads; all by default.",
        ),
    ] = None,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="The size of pages.")] = "a4",
    theme: Annotated[str, typer.Option("--theme", metavar="NAME", help="The colours, as of the board.")] = "classic",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Write the files there, not to sheets/BOARD/."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Draw what players need beside the board: charts, title deeds, engine cards, rules, pads, as SVG files.

    Pages are of the paper's size, cards 63 x 88 mm; sheets.json lists them with their backs. A board without a chart
    has no sheet of it. All files are written or none.
    """
    from mapkit.cli import sheets as command  # noqa: PLC0415

    command.sheets(
        board,
        variants=variants or (),
        only=only,
        paper=paper,
        theme=theme,
        out=out,
        workspace=workspace,
        as_json=as_json,
    )


@app.command()
def formats(as_json: JsonOpt = False) -> None:
    """List the formats of mapkit export: what each can and cannot carry, and which are read back."""
    from mapkit.cli import exporting  # noqa: PLC0415

    exporting.formats(as_json=as_json)


@app.command("print")
def print_board(
    board: BoardArg,
    paper: Annotated[
        str, typer.Option("--paper", "-p", metavar="a4|letter|a3|tabloid|poster", help="Poster: one page, full size.")
    ] = "a4",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.pdf", help="The PDF; BOARD-PAPER.pdf by default.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="board,sheets,cards", help="Print these only; ids of sheets work too."),
    ] = None,
    scale: Annotated[str, typer.Option("--scale", metavar="PERCENT", help="Of the board.")] = "100",
    size: Annotated[
        float | None, typer.Option("--size", metavar="MM", help="The width that the board gets, instead of --scale.")
    ] = None,
    overlap: Annotated[float, typer.Option("--overlap", metavar="MM", help="What neighbouring tiles share.")] = 10.0,
    margin: Annotated[
        float, typer.Option("--margin", metavar="MM", help="What the printer leaves white at the edges of paper.")
    ] = 5.0,
    bleed: Annotated[
        float, typer.Option("--bleed", metavar="MM", help="Print so far over the edge of the board and of cards.")
    ] = 0.0,
    duplex: Annotated[
        bool, typer.Option("--duplex", help="Print the backs of cards too, mirrored, on the page behind.")
    ] = False,
    theme: Annotated[str, typer.Option("--theme", metavar="NAME", help="The board's looks.")] = "classic",
    low_ink: Annotated[bool, typer.Option("--low-ink", help="White ground, pale tints.")] = False,
    sheet_paper: Annotated[
        str | None,
        typer.Option("--sheet-paper", metavar="PAPER", help="Of sheets and cards; that of the board by default."),
    ] = None,
    dpi: Annotated[
        float | None, typer.Option("--dpi", metavar="N", help="Write board, sheets and cards as PNG too.")
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board to print and play as one PDF: tiles or a poster, plan, ruler, sheets, cards.

    Tiles overlap and have crop marks and crosses to lay over each other; an assembly plan shows where they go. Fonts
    are embedded, text can be selected, and the same board gives the same bytes. All files are written or none.
    """
    from mapkit.cli import press  # noqa: PLC0415
    from mapkit.render.press.job import PrintJob  # noqa: PLC0415

    if size is not None and scale != "100":
        raise typer.BadParameter("give --scale or --size, not both", param_hint="--size")
    job = PrintJob(paper, sheet_paper, margin, overlap, bleed, press.scale_of(scale), size, duplex)
    press.print_board(
        board,
        job,
        variants=variants or (),
        workspace=workspace,
        theme=theme,
        low_ink=low_ink,
        only=only,
        dpi=dpi,
        out=out or Path(f"{Path(board).stem or 'board'}-{paper.lower()}.pdf"),
        as_json=as_json,
    )


@app.command()
def picture(
    file: Annotated[Path, typer.Argument(metavar="FILE.svg", help="A drawing, such as build/usa/board.svg.")],
    to: Annotated[str, typer.Option("--to", "-t", metavar="pdf|png|svg", help="What to make of it.")] = "pdf",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to; beside the drawing by default.")
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", metavar="N", help="Dots per inch of a PNG.")] = 300.0,
    fonts: Annotated[
        str,
        typer.Option("--fonts", metavar="name|embed|paths", help="Of an SVG: named only, carried along, or outlines."),
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Turn an SVG drawing into PDF or PNG, or into an SVG that carries its fonts.

    Only the fonts that mapkit ships are used, whatever the machine has. A PDF has exactly the size of the drawing.
    """
    from mapkit.cli import press  # noqa: PLC0415

    press.picture(file, to=to, out=out, dpi=dpi, fonts=fonts, as_json=as_json)


@app.command()
def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"Which JSON Schema: {', '.join(_SCHEMAS)}.")] = "board",
    _as_json: JsonOpt = False,
) -> None:
    """Print the JSON Schema of the board file, or of what other commands print as JSON.

    It is JSON with --json or without.
    """
    if name not in _SCHEMAS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(_SCHEMAS)}", param_hint="NAME")
    from mapkit.cli import boards  # noqa: PLC0415

    boards.schema(name)
