"""`mapkit draw`, `themes` and `colours`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.render.colours.distances import ColourPair, ColourReport

_WORST = 12


def draw(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "board",
    language: LanguageOpt = "board",
    brightness: Annotated[
        int, typer.Option("--brightness", metavar="STEP", min=-1, max=1, help="-1 darker, 1 brighter than the theme.")
    ] = 0,
    contrast: Annotated[
        int, typer.Option("--contrast", metavar="STEP", min=0, max=1, help="1 for higher contrast.")
    ] = 0,
    dot_names: Annotated[
        bool, typer.Option("--dot-names/--no-dot-names", help="Names of mileposts that are not cities.")
    ] = True,
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="FILE", help="A .svg, .png or .pdf; BOARD-THEME.svg by default."),
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", metavar="DPI", help="Dots per inch of a PNG.")] = 150.0,
    fonts: Annotated[
        str, typer.Option("--fonts", metavar="name|embed|paths", help="How an SVG carries its fonts.")
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Draw a board in a theme, as SVG, PNG or PDF.

    Themes are classic, atlas, dark and print (mapkit list themes), or a file of your own. The layout of the page
    is the same in every theme.
    """
    look = mapkit.Look(theme, language, brightness, contrast, dot_names=dot_names, dpi=dpi, fonts=fonts)
    with stages(f"draw {board}") as progress:
        drawn = mapkit.draw(board, out=out, look=look, variants=variants or (), workspace=workspace, progress=progress)
    for line in drawn.notes:
        print_message(line)
    if as_json:
        print_result(texts.json_text({"board": drawn.board.id, "theme": drawn.theme.name, "picture": str(drawn.path)}))
        return
    print_result(str(drawn.path))


def themes(as_json: JsonOpt = False) -> None:
    """List the themes that boards are drawn in."""
    found = mapkit.list_themes()
    if as_json:
        print_result(texts.json_text([theme.model_dump(mode="json") for theme in found]))
        return
    print_result(table(("theme", "what it is"), ((t.name, t.about) for t in found)))
    print_message("A file of yours can change them: mapkit draw usa --theme FILE.toml; see docs/how-to/themes.md")


def colours(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "board",
    solve: Annotated[
        bool, typer.Option("--solve", help="Find colours and patterns that are far apart and near the liveries.")
    ] = False,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="PA,NYC,...", help="Railroads that keep their colour and pattern.")
    ] = None,
    near: Annotated[
        float,
        typer.Option(
            "--near",
            metavar="DISTANCE",
            min=0,
            max=200,
            help="How far a colour may move (CIEDE2000); 100 for anywhere.",
        ),
    ] = 22,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.csv", help="Write the solved railroads.csv there.")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Judge the colours of railroads, or find better ones.

    Prints CIEDE2000 differences under normal sight and as people without red, green or blue cones see them,
    and the difference of lightness that a grey copy leaves. Railroads nearer than 10 must have different patterns.
    """
    with stages(f"colours {board}") as progress:
        if not solve:
            found = mapkit.colours(board, theme=theme, variants=variants or (), workspace=workspace, progress=progress)
            print_result(texts.json_text(found.report) if as_json else colours_text(found.board, found.report))
            return
        solved = mapkit.recolour(
            board,
            theme=theme,
            keep=split_commas(keep or ""),
            near=near,
            out=out,
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    print_result(_solved_json(solved) if as_json else _solved_text(solved))
    if out is not None and not as_json:
        print_message(f"The table is {out}; put it into the source package as railroads.csv")


def _solved_json(found: "mapkit.Recoloured") -> str:
    styles = {ident: style.model_dump() for ident, style in found.solved.styles.items()}
    reports = {"before": found.before.report.model_dump(), "after": found.after.report.model_dump()}
    return texts.json_text({**reports, "styles": styles})


def _solved_text(found: "mapkit.Recoloured") -> str:
    rows = (
        (r.short, f"{r.style.colour} {r.style.pattern}", f"{s.colour} {s.pattern}", f"{moved:.1f}" if moved else "")
        for r in found.before.board.railroads
        for s in (found.solved.styles[r.id],)
        for moved in (late.livery_distance(r.style.colour, s.colour),)
    )
    before = summary(found.before.board, found.before.report)
    after = summary(found.after.board, found.after.report)
    changed = table(("railroad", "was", "is", "moved"), rows, right=(3,))
    return f"{changed}\n\nbefore: {before}\nafter:  {after}"


def colours_text(board: "Board", found: "ColourReport") -> str:
    """Lay out the colour distances: the nearest railroads and the regions, then the notes on them."""
    short = {r.id: r.short for r in board.railroads} | {r.id: r.name for r in board.regions}
    head = ("", "", "how", "normal", "protan", "deutan", "tritan", "smallest", "grey", "patterns")

    def row(p: "ColourPair") -> tuple[str, ...]:
        figures = (f"{v:.1f}" for v in (p.normal, p.protan, p.deutan, p.tritan, p.smallest, p.grey))
        patterns = "" if p.kind == "regions" else "differ" if p.patterns_differ else "same"
        return (short[p.a], short[p.b], p.kind, *figures, patterns)

    greyed = set(found.alike_in_grey)
    near = [p for p in found.railroads if p.smallest < found.limit or (p.a, p.b) in greyed]
    near = near or list(found.railroads[:_WORST])
    parts = [f"Railroads\n{table(head, map(row, near), right=range(3, 9))}"] if near else []
    if found.regions:
        parts.append(f"Regions\n{table(head, map(row, found.regions[:_WORST]), right=range(3, 9))}")
    return "\n\n".join([*parts, summary(board, found)])


def summary(board: "Board", found: "ColourReport") -> str:
    """Return the figures of a report in a sentence."""
    short = {r.id: r.short for r in board.railroads}
    if found.smallest is None:
        return "no two railroads touch"
    below = sum(p.smallest < found.limit for p in found.railroads)
    same = "none" if found.smallest_same_pattern is None else f"{found.smallest_same_pattern:.1f}"
    alike, greyed = (
        ", ".join(f"{short[a]} {short[b]}" for a, b in pairs) or "none" for pairs in (found.alike, found.alike_in_grey)
    )
    grey = "none" if found.smallest_grey is None else f"{found.smallest_grey:.1f}"
    return (
        f"{len(found.railroads)} pairs touch: smallest difference {found.smallest:.1f}, {below} under "
        f"{found.limit:g}; of the same pattern {same}; too much alike: {alike}; of the same pattern in grey {grey}; "
        f"too much alike in grey: {greyed}"
    )
