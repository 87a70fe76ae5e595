"""Writing a board in formats of other programs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from mapkit.core.errors import ExportError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.loading import apply, load, stem_of
from mapkit.kinds.rail.exchange.format import ExportOptions, Format, RB3Encoding
from mapkit.kinds.rail.exchange.plan import plan_export
from mapkit.kinds.rail.exchange.registry import format_names, get_format, named_formats
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import BOARD_VERSION, BoardVersion


@dataclass(frozen=True)
class ExportedFiles:
    """What `export` wrote: the files, and for each format what of the board it does not hold."""

    board: Board
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]


def export(  # noqa: PLR0913 - each is an option of the command
    board: Board | str | Path,
    *,
    to: str | Iterable[str],
    out: str | Path,
    variants: Sequence[str] = (),
    base_url: str | None = None,
    board_version: int = BOARD_VERSION,
    encoding: str = "windows-1252",
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ExportedFiles:
    """Write a board in formats of other programs; all files or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        to: Names of formats (`mapkit list formats` lists them), in one text with commas or several; `"all"` for all.
        out: The folder for the files. Of several formats each gets a folder of its name in it, beside
            `manifest.json`.
        variants: Variants to apply first, as for `load`.
        base_url: The address on the web where you put the pictures that `tts` writes; without it they are found on
            this machine only.
        board_version: The version of the board file that `engine` writes, 1 or 2.
        encoding: Of names in the files that `rb3` writes, `"windows-1252"` or `"utf-8"`.
        workspace: As for `load`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Returns:
        The files, and what each format does not hold.

    Raises:
        UnknownNameError: There is no such format or board.
        ExportError: A format cannot hold the board, or there is no such version of the board file or no such encoding;
            nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError.
    """
    formats = named_formats(to if isinstance(to, str) else ",".join(to))
    version = _board_version(board_version, formats)
    letters = _encoding(encoding, formats)
    if not isinstance(board, Board):
        loaded = load(board, variants=variants, workspace=workspace, progress=progress)
    else:
        loaded = apply(board, variants, workspace=workspace) if variants else board
    progress("exporting")
    folder = Path(out)
    options = ExportOptions(
        base_url=base_url,
        folder=folder.absolute(),
        board_version=version,
        rb3_encoding=letters,
        stem=stem_of(loaded, board, variants),
    )
    plan = plan_export(loaded, formats, options)
    progress("writing")
    write_files(folder, plan.files)
    return ExportedFiles(loaded, folder, tuple(folder / name for name in sorted(plan.files)), plan.losses)


def _board_version(wanted: int, formats: Iterable[Format]) -> BoardVersion:
    """Return the version of the board file to write.

    Raises:
        ExportError: There is none, or no format writes it.
    """
    version: BoardVersion | None = next((known for known in get_args(BoardVersion) if known == wanted), None)
    if version is None:
        raise ExportError(f"no version {wanted!r} of the board file; there are 1 and {BOARD_VERSION}")
    if version != BOARD_VERSION and all(form.name != "engine" for form in formats):
        raise ExportError(f"version {version} of the board file is written by the format engine; add it to the formats")
    return version


def _encoding(wanted: str, formats: Iterable[Format]) -> RB3Encoding:
    """Return the encoding of names in RB3.

    Raises:
        ExportError: There is none, or no format takes it.
    """
    known = get_args(RB3Encoding)
    encoding: RB3Encoding | None = next((name for name in known if name == wanted.strip().lower()), None)
    if encoding is None:
        raise ExportError(f"no encoding {wanted!r} of RB3; write {' or '.join(known)}")
    if encoding != known[0] and all(form.name != "rb3" for form in formats):
        raise ExportError(f"encoding {encoding} is for the format rb3; add it to the formats")
    return encoding


def list_formats() -> tuple[list[Format], list[str]]:
    """Return the formats that `export` writes, and what is wrong with those of other packages that cannot be loaded."""
    found: list[Format] = []
    wrong: list[str] = []
    for name in format_names():
        try:
            found.append(get_format(name))
        except ExportError as error:
            wrong.append(str(error))
    return found, wrong
