"""`mapkit draw`, `themes` and `colours`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.render.colours.distances import ColourPair, ColourReport

_WORST = 12


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
