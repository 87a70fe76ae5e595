"""Colours of railroads, for people."""

from typing import TYPE_CHECKING, cast

from mapkit.console.printing import print_message, print_result, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from pathlib import Path

    import mapkit
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.render.colours.distances import ColourPair, ColourReport

_WORST = 12


def show_colours(found: "mapkit.Colours | mapkit.Recoloured", out: "Path | None") -> None:
    """Print the distances of colours, or the solved colours."""
    if not hasattr(found, "solved"):
        print_result(colours_text(found.board, found.report))
        return
    print_result(_solved_text(cast("mapkit.Recoloured", found)))
    if out is not None:
        print_message(f"The table is {out}; put it into the source package as railroads.csv")


def _solved_text(found: "mapkit.Recoloured") -> str:
    rows = (
        (r.short, f"{r.style.colour} {r.style.pattern}", f"{s.colour} {s.pattern}", f"{moved:.1f}" if moved else "")
        for r in found.before.board.railroads
        for s in (found.solved.styles[r.id],)
        for moved in (late.measure_livery_distance(r.style.colour, s.colour),)
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
