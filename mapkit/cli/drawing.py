"""What `mapkit draw`, `mapkit themes` and `mapkit colours` do."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from mapkit import api
from mapkit.cli.printing import result, stages, table, talk
from mapkit.errors import OutputError, UnknownNameError, did_you_mean
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.output import write_files
from mapkit.render.board import draw_board
from mapkit.render.colour_distances import ColourPair, ColourReport, colour_distances
from mapkit.render.colour_solver import SolvedColours, livery_distance, solve_colours
from mapkit.render.layout import Layout, lay_out
from mapkit.render.theme import THEMES
from mapkit.render.theme_files import find_theme
from mapkit.render.theme_steps import adjusted

Writer = Callable[[str, Path], Mapping[str, str]]
PICTURES: Mapping[str, Writer] = {".svg": lambda text, path: {path.name: text}}
"""File ending -> what makes the file's content of the SVG's text. Other kinds of picture are added here."""
_WORST = 12


def draw(
    board: str,
    *,
    variants: Sequence[str],
    workspace: Path | None,
    theme: str,
    brightness: int,
    contrast: int,
    dot_names: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit draw`.

    Raises:
        UnknownNameError: There is no such board, variant or theme.
        OutputError: The file's ending names no kind of picture, or it cannot be written.
    """
    look = adjusted(find_theme(theme, folder=workspace), brightness, contrast)
    with stages(f"draw {board}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
        target = out or (workspace or Path()) / f"{loaded.id}-{look.name}.svg"
        make = PICTURES.get(target.suffix.lower())
        if make is None:
            raise OutputError(f"{target.name}: a picture's name ends in {', '.join(PICTURES)}")
        progress("drawing")
        layout = lay_out(loaded, look.sizes)
        if not dot_names:
            layout = without_dot_names(layout)
        text = draw_board(layout, theme=look).to_text()
    write_files(target.parent, make(text, target))
    if as_json:
        result(json_text({"board": loaded.id, "theme": look.name, "picture": str(target)}))
        return
    result(str(target))


def themes(*, as_json: bool) -> None:
    """Run `mapkit themes`."""
    if as_json:
        result(json_text([theme.model_dump(mode="json") for theme in THEMES.values()]))
        return
    result(table(("theme", "what it is"), ((t.name, t.about) for t in THEMES.values())))
    talk("A file of your own can change any of them: mapkit draw usa --theme FILE.toml; see docs/themes.md")


def colours(
    board: str,
    *,
    variants: Sequence[str],
    workspace: Path | None,
    theme: str,
    solve: bool,
    keep: str | None,
    near: float,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit colours`.

    Raises:
        UnknownNameError: There is no such board, variant, theme or railroad.
        OutputError: The table cannot be written.
    """
    look = find_theme(theme, folder=workspace)
    with stages(f"colours {board}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
        progress("measuring")
        found = colour_distances(loaded, look)
        if not solve:
            result(json_text(found) if as_json else colours_text(loaded, found))
            return
        progress("solving")
        solved = solve_colours(loaded, keep=_railroads(loaded, keep), near=near)
    after = restyled(loaded, solved)
    better = colour_distances(after, look)
    if out is not None:
        write_files(out.parent, {out.name: railroads_csv(after)})
    if as_json:
        styles = {ident: style.model_dump() for ident, style in solved.styles.items()}
        result(json_text({"before": found.model_dump(), "after": better.model_dump(), "styles": styles}))
        return
    rows = (
        (r.short, f"{r.style.colour} {r.style.pattern}", f"{s.colour} {s.pattern}", f"{moved:.1f}" if moved else "")
        for r in loaded.railroads
        for s in (solved.styles[r.id],)
        for moved in (livery_distance(r.style.colour, s.colour),)
    )
    result(table(("railroad", "was", "is", "moved"), rows, right=(3,)))
    result(f"\nbefore: {summary(loaded, found)}\nafter:  {summary(after, better)}")
    if out is not None:
        talk(f"The table is {out}; put it into the source package as railroads.csv")


def without_dot_names(layout: Layout) -> Layout:
    """Return a layout with the names of cities alone."""
    return replace(layout, names=tuple(spot for spot in layout.names if spot.name.bold))


def _railroads(board: Board, given: str | None) -> frozenset[str]:
    """Return the ids of railroads given by id or reporting mark, with commas between.

    Raises:
        UnknownNameError: One is unknown.
    """
    known = {r.id: r.id for r in board.railroads} | {r.short.casefold(): r.id for r in board.railroads}
    ids = set()
    for name in (part.strip() for part in (given or "").split(",") if part.strip()):
        if name.casefold() not in known:
            marks = [r.short for r in board.railroads]
            raise UnknownNameError(f"{name!r} is no railroad of {board.title}{did_you_mean(name, marks)}")
        ids.add(known[name.casefold()])
    return frozenset(ids)


def restyled(board: Board, solved: SolvedColours) -> Board:
    """Return a board with solved styles."""
    changed = tuple(r.model_copy(update={"style": solved.styles[r.id]}) for r in board.railroads)
    return board.model_copy(update={"railroads": changed})


def railroads_csv(board: Board) -> str:
    """Return a board's railroads in the form of the source package's `railroads.csv`."""
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("id", "name", "short", "price", "public", "colour", "pattern"))
    for r in board.railroads:
        public = "true" if r.public else "false"
        rows.writerow((r.id, r.name, r.short, r.price, public, r.style.colour, r.style.pattern))
    return out.getvalue()


def colours_text(board: Board, found: ColourReport) -> str:
    """Lay out the colour distances: the nearest railroads and the regions, then what has to be said of them."""
    short = {r.id: r.short for r in board.railroads} | {r.id: r.name for r in board.regions}
    head = ("", "", "how", "normal", "protan", "deutan", "tritan", "smallest", "patterns")

    def row(p: ColourPair) -> tuple[str, ...]:
        figures = (f"{v:.1f}" for v in (p.normal, p.protan, p.deutan, p.tritan, p.smallest))
        patterns = "" if p.kind == "regions" else "differ" if p.patterns_differ else "same"
        return (short[p.a], short[p.b], p.kind, *figures, patterns)

    near = [p for p in found.railroads if p.smallest < found.limit] or found.railroads[:_WORST]
    parts = [f"Railroads\n{table(head, map(row, near), right=range(3, 8))}"] if near else []
    if found.regions:
        parts.append(f"Regions\n{table(head, map(row, found.regions[:_WORST]), right=range(3, 8))}")
    return "\n\n".join([*parts, summary(board, found)])


def summary(board: Board, found: ColourReport) -> str:
    """Return the figures of a report in a sentence."""
    short = {r.id: r.short for r in board.railroads}
    if found.smallest is None:
        return "no two railroads touch"
    below = sum(p.smallest < found.limit for p in found.railroads)
    same = "none" if found.smallest_same_pattern is None else f"{found.smallest_same_pattern:.1f}"
    alike = ", ".join(f"{short[a]} {short[b]}" for a, b in found.alike) or "none"
    return (
        f"{len(found.railroads)} pairs touch: smallest difference {found.smallest:.1f}, {below} under "
        f"{found.limit:g}; of the same pattern {same}; too much alike: {alike}"
    )
