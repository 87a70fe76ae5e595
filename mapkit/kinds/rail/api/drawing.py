"""Drawing a board in a theme, and the colours of its railroads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mapkit.core.base import Frozen
from mapkit.core.csvtext import csv_text
from mapkit.core.errors import ChoiceError, UnknownNameError, did_you_mean
from mapkit.core.kept import recalled
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.plain import cell_text
from mapkit.document.workspace import open_workspace
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.drawing.theme.steps import adjusted
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.kinds.rail.api.loading import apply, load, stem_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.colours.distances import ColourReport, colour_distances
from mapkit.kinds.rail.render.colours.solver import SolvedColours, solve_colours
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.own_theme import dressed
from mapkit.kinds.rail.render.words import in_language
from mapkit.kinds.rail.variants.basis import basis_of
from mapkit.press.write import KINDS, write_picture


@dataclass(frozen=True)
class Look:
    """How a board is drawn.

    Attributes:
        theme: `board` for the one that the board's author chose, the name of a theme (`list_themes` lists them), or the
            file of one (`.toml`).
        language: `board` for the one that the board's author chose, or `en`, `es`, `es-MX`, `pt`, `pt-BR`.
        brightness: -1 for darker, 1 for brighter than the theme.
        contrast: 1 for higher contrast.
        dot_names: Whether mileposts that are not cities have names.
        dpi: Dots per inch of a PNG.
        fonts: How an SVG brings its fonts along: `name`, `embed` or `paths`.
    """

    theme: str = OWN
    language: str = OWN
    brightness: int = 0
    contrast: int = 0
    dot_names: bool = True
    dpi: float = 150.0
    fonts: str = "name"


@dataclass(frozen=True)
class Drawn:
    """A drawing that was written: of what, in which theme, where, and what its user should know."""

    board: Board
    theme: Theme
    path: Path
    notes: tuple[str, ...]


class _Drawing(Frozen):
    """A drawing as it is kept."""

    svg: str


@dataclass(frozen=True)
class Colours:
    """How far apart the colours of a board's railroads are."""

    board: Board
    report: ColourReport


@dataclass(frozen=True)
class Recoloured:
    """What `recolour` found: the board and its colours before and after, and the styles of all railroads."""

    before: Colours
    after: Colours
    solved: SolvedColours


def list_themes() -> tuple[Theme, ...]:
    """Return the themes that boards are drawn in."""
    return tuple(THEMES.values())


def draw(
    board: Board | str | Path,
    *,
    out: str | Path | None = None,
    look: Look | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Drawn:
    """Draw a board in a theme, as SVG, PNG or PDF.

    Args:
        board: A board, or the name or file of one, as for `load`.
        out: The file; its name ends in `.svg`, `.png` or `.pdf`. By default `BOARD-THEME.svg` in the workspace.
        look: Theme, names, resolution and fonts.
        variants: As for `load`.
        workspace: As for `load`; themes are looked for there too. `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant or theme.
        ChoiceError: There is no such theme, language, fonts or kind of picture (the end of the file's name).
        OutputError: The file cannot be written.
        MapkitError: As for `load`.
    """
    look = look or Look()
    root = Path(workspace or ".")
    chosen = find_theme(look.theme, folder=root)
    basis = None if isinstance(board, Board) else basis_of(open_workspace(workspace), board, variants)
    seen = basis.digest() if basis is not None else None
    loaded = in_language(_loaded(board, variants, workspace, progress), look.language)
    theme = adjusted(dressed(chosen, loaded), look.brightness, look.contrast)
    target = root / f"{stem_of(loaded, board, variants)}-{theme.name}.svg" if out is None else Path(out)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise ChoiceError(f"{target.name}: a picture's name ends in {', '.join(f'.{known}' for known in KINDS)}")

    def drawing() -> _Drawing:
        progress("drawing")
        layout = lay_out(loaded, theme.sizes)
        layout = layout if look.dot_names else without_dot_names(layout)
        return _Drawing(svg=draw_board(layout, theme=theme).to_text())

    options = f"{theme.model_dump_json()} {look.dot_names} {loaded.drawing.language}"
    text = recalled("drawing", basis, _Drawing, drawing, options=options, seen=seen, progress=progress).svg
    progress("writing")
    notes = write_picture(text, target, dpi=look.dpi, fonts=look.fonts, name=loaded.id)
    return Drawn(loaded, theme, target, tuple(notes))


def colours(
    board: Board | str | Path,
    *,
    theme: str = OWN,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Colours:
    """Measure how far apart the colours of railroads that touch are, for people with any colour vision.

    Args:
        board: A board, or the name or file of one, as for `load`.
        theme: As in `Look`.
        variants: As for `load`.
        workspace: As for `draw`.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant or theme.
        MapkitError: As for `load`.
    """
    look = find_theme(theme, folder=Path(workspace or "."))
    loaded = _loaded(board, variants, workspace, progress)
    progress("measuring")
    return Colours(loaded, colour_distances(loaded, dressed(look, loaded)))


def recolour(
    board: Board | str | Path,
    *,
    theme: str = OWN,
    keep: Iterable[str] = (),
    near: float = 22,
    out: str | Path | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Recoloured:
    """Find colours and patterns of railroads that are far apart, and near the liveries.

    Args:
        board: A board, or the name or file of one, as for `load`.
        theme: As in `Look`.
        keep: Railroads that keep their colour and pattern, by id or reporting mark.
        near: How far a colour may move (CIEDE2000); 100 for anywhere.
        out: Where to write the solved `railroads.csv`; nowhere by default.
        variants: As for `load`.
        workspace: As for `draw`.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant, theme or railroad.
        OutputError: The table cannot be written.
        MapkitError: As for `load`.
    """
    look = find_theme(theme, folder=Path(workspace or "."))
    before = colours(board, theme=theme, variants=variants, workspace=workspace, progress=progress)
    progress("solving")
    solved = solve_colours(before.board, keep=_railroads(before.board, keep), near=near)
    after = restyled(before.board, solved)
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: railroads_csv(after)})
    return Recoloured(before, Colours(after, colour_distances(after, dressed(look, after))), solved)


def _loaded(
    board: Board | str | Path, variants: Sequence[str], workspace: str | Path | None, progress: Progress
) -> Board:
    if isinstance(board, Board):
        return apply(board, variants, workspace=workspace) if variants else board
    return load(board, variants=variants, workspace=workspace, progress=progress)


def without_dot_names(layout: Layout) -> Layout:
    """Return a layout with the names of cities alone."""
    return replace(layout, names=tuple(spot for spot in layout.names if spot.name.bold))


def _railroads(board: Board, given: Iterable[str]) -> frozenset[str]:
    """Return the ids of railroads given by id or reporting mark.

    Raises:
        UnknownNameError: One is unknown.
    """
    known = {r.id: r.id for r in board.railroads} | {r.short.casefold(): r.id for r in board.railroads}
    ids = set()
    for name in given:
        if name.casefold() not in known:
            marks = [r.short for r in board.railroads]
            raise UnknownNameError(f"{name!r} is not a railroad of {board.title}{did_you_mean(name, marks)}")
        ids.add(known[name.casefold()])
    return frozenset(ids)


def restyled(board: Board, solved: SolvedColours) -> Board:
    """Return a board with solved styles."""
    changed = tuple(r.model_copy(update={"style": solved.styles[r.id]}) for r in board.railroads)
    return board.model_copy(update={"railroads": changed})


def railroads_csv(board: Board) -> str:
    """Return a board's railroads in the form of the source package's `railroads.csv`."""
    rows = [
        (r.id, r.name, r.short, r.price, cell_text(r.public), r.style.colour, r.style.pattern) for r in board.railroads
    ]
    return csv_text([("id", "name", "short", "price", "public", "colour", "pattern"), *rows])
