"""Exports, drawings and printouts of boards of every kind."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from mapkit.core.errors import ChoiceError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.look import Look
from mapkit.drawing.picture_files import KINDS, write_picture
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.exchange.formats import ALL, AnyFormat
from mapkit.exchange.plan import ExportedBoard, plan_files
from mapkit.kinds.operations import ExportRequest, read_options
from mapkit.kinds.registry import DEFAULT, get_operations, operations_of
from mapkit.operations.options import Argument, BoardName, Flag, Output, Variants, Workspace


@dataclass(frozen=True)
class ExportedFiles:
    """Files of an export, with the losses of each format."""

    board: Any
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]
    variants: Sequence[str] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Formats of `all` that cannot hold the board, and why."""

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        files = [str(path) for path in self.files]
        head = {"board": self.board.id, "variants": list(self.variants), "folder": str(self.folder)}
        return {**head, "files": files, "losses": dict(self.losses), "left_out": dict(self.left_out)}


@dataclass(frozen=True)
class ListedFormats:
    """Formats of a kind of board, and the errors of plug-ins that cannot be loaded."""

    formats: Sequence[Any]
    wrong: Sequence[str] = ()

    def as_json(self) -> list[dict[str, object]]:
        """Return a row for each format."""
        return [describe_format(form) for form in self.formats]


@dataclass(frozen=True)
class Drawn:
    """Written pictures of a board, their theme, and notes on them."""

    board: Any
    theme: Theme
    files: tuple[Path, ...]
    notes: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Return the picture, or the first of several."""
        return self.files[0]

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        files = [str(path) for path in self.files]
        return {"board": self.board.id, "theme": self.theme.name, "picture": files[0], "pictures": files}


def export(
    board: Any | BoardName,  # noqa: ANN401 - a board of any kind
    *,
    to: Annotated[str | Iterable[str], Flag("-t", "FORMAT[,FORMAT...]|all", reading="name")],
    out: Annotated[str | Path, Output(metavar="FOLDER")],
    base_url: Annotated[str | None, Flag("", "URL")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> ExportedFiles:
    """Write a board for other programs.

    The files of a single format go into the folder; of several, each format gets a folder of its name, and
    manifest.json lists all files with their hashes. Says what a format does not hold; 'all' leaves out formats that
    cannot hold the board, and names them. All files are written or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        to: Formats; mapkit list formats lists them.
        out: Where the files go.
        base_url: For tts: the address of the folder where you put its pictures.
        variants: Variants to apply first.
        workspace: The folder that holds `sources/`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.
        options: Options of the board's kind: `board_version` and `encoding` of railroad boards, `language` of cards.

    Raises:
        ChoiceError: There is no such format or option.
        ExportError: A format cannot hold the board; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        MapkitError: There is no such board, or its files are wrong.
    """
    kind = operations_of(board, workspace)
    names = to if isinstance(to, str) else ",".join(to)
    formats = kind.formats.named(names)
    chosen = read_options(kind.export_options, options)
    kind.check_export(formats, chosen)
    loaded = kind.load(board, variants=variants, workspace=workspace, progress=progress)
    progress("exporting")
    folder = Path(out)
    stem = kind.stem(loaded, board, variants)

    def write(form: Any) -> ExportedBoard:  # noqa: ANN401 - of any kind
        if isinstance(form, AnyFormat):
            return form.write(loaded, stem)
        return kind.write(form, loaded, ExportRequest(variants, base_url, stem, chosen))

    applied = getattr(loaded, "variants", variants)
    writers = [(form.name, partial(write, form)) for form in formats]
    plan = plan_files(loaded.id, applied, writers, leave_out=ALL in {name.strip() for name in names.split(",")})
    progress("writing")
    write_files(folder, plan.files)
    return ExportedFiles(
        loaded, folder, tuple(folder / name for name in sorted(plan.files)), plan.losses, applied, plan.left_out
    )


def list_board_formats(
    board: Annotated[
        str | Path | None, Argument("", "[BOARD]", "Boards of other kinds have formats of their own.", reading="name")
    ] = None,
    *,
    workspace: Workspace = None,
) -> ListedFormats:
    """List the formats of mapkit export, with what each carries.

    Args:
        board: A board of the kind; a railroad board by default.
        workspace: The folder that holds `sources/`.
    """
    kind = get_operations(DEFAULT) if board is None else operations_of(board, workspace)
    return ListedFormats(*kind.formats.list_all())


def describe_format(form: Any) -> dict[str, object]:  # noqa: ANN401 - of any kind
    """Return a format as `--json` prints it."""
    losses = getattr(form, "losses", None)
    described: dict[str, object] = {
        "name": form.name,
        "title": form.title,
        "suffixes": form.suffixes,
        "reads": getattr(form, "read", None) is not None,
        "carries": form.carries,
        "loses": form.loses if losses is None else "; ".join(losses) or "nothing",
    }
    return described if losses is None else {**described, "losses": losses}


def draw(
    board: Any | BoardName,  # noqa: ANN401 - a board of any kind
    *,
    look: Look | None = None,
    out: Annotated[str | Path | None, Output(metavar="FILE")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> Drawn:
    """Draw a board in a theme, as SVG, PNG or PDF.

    `mapkit list themes` lists the themes; or give a file of your own. The layout of the page
    is the same in every theme.

    Args:
        board: A board, or the name or file of one, as for `load`.
        look: Theme, language, resolution and fonts.
        out: A .svg, .png or .pdf; BOARD-THEME.svg by default.
        variants: Variants to apply first.
        workspace: The folder that holds `sources/`; themes are looked for there too.
        progress: Called with the name of each stage as it begins.
        options: Options of the board's kind: `card_size` and `each` of card games.

    Raises:
        ChoiceError: There is no such theme, language, fonts, option or kind of picture (the end of the file's name).
        OutputError: A file cannot be written; what was there is unchanged.
        MapkitError: There is no such board, or its files are wrong.
    """
    look = look or Look()
    kind = operations_of(board, workspace)
    chosen = read_options(kind.draw_options, options)
    drawn = kind.drawing(board, look, chosen, variants=variants, workspace=workspace, progress=progress)
    stem = kind.stem(drawn.board, board, variants)
    if drawn.parts:
        folder = Path(out or f"{stem}-parts")
        progress("writing")
        write_files(folder, drawn.parts)
        return Drawn(drawn.board, drawn.theme, tuple(folder / name for name in sorted(drawn.parts)), ())
    target = Path(workspace or ".") / f"{stem}-{drawn.theme.name}.svg" if out is None else Path(out)
    if target.suffix.lower().removeprefix(".") not in KINDS:
        raise ChoiceError(f"{target.name}: a picture's name ends in {', '.join(f'.{known}' for known in KINDS)}")
    progress("writing")
    notes = write_picture(drawn.svg, target, dpi=look.dpi, fonts=look.fonts, name=drawn.board.id)
    return Drawn(drawn.board, drawn.theme, (target,), tuple(notes))


def list_themes() -> tuple[Theme, ...]:
    """List the themes that boards are drawn in."""
    return tuple(THEMES.values())
