"""Card games written in formats of other programs, and read from board files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mapkit.core.base import Frozen
from mapkit.core.errors import BoardError
from mapkit.core.output import write_files
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.importing import row_changes, session_of, written_new, written_step
from mapkit.document.workspace import open_workspace
from mapkit.drawing.words.language import known_language
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.exchange.plan import Exported, Writes, plan_files
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.exchange.as_rows import document_of_game
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.game_json import read_game
from mapkit.kinds.cards.exchange.registry import FORMATS, card_formats_named
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.render.job import CardJob


@dataclass(frozen=True)
class ExportedCards:
    """What `export_cards` wrote: the files, and for each format what of the game it does not hold."""

    game: CardGame
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]


class CardImport(Frozen):
    """What a file holds, and what was written.

    Args:
        file: Its name.
        title: Of the game.
        holdings: How many holdings it has.
        railroads: How many cards of railroads.
        investors: How many investors.
        changed: How many rows of the game that was there changed; None for a new one.
        written: The files that were written, by their path.
    """

    file: str
    title: str
    holdings: int
    railroads: int
    investors: int
    changed: int | None = None
    written: tuple[str, ...] = ()


def export_cards(
    name: str,
    *,
    to: str | Iterable[str],
    out: str | Path,
    variants: Sequence[str] = (),
    base_url: str | None = None,
    language: str = LANGUAGES[0],
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ExportedCards:
    """Write a game in formats of other programs; all files or none.

    Args:
        name: As for `load_cards`.
        to: Names of formats (`card_formats` lists them), in one text with commas or several; `"all"` for all.
        out: The folder for the files. Of several formats each gets a folder of its name in it, beside
            `manifest.json`.
        variants: Variants to apply first.
        base_url: The address on the web where you put pictures, for formats that name pictures by address.
        language: Of cards and texts.
        workspace: As for `load_cards`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        ChoiceError: There is no such format or language.
        ExportError: A format cannot hold the game; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        MapkitError: As for `load_cards`.
    """
    formats = card_formats_named(to if isinstance(to, str) else ",".join(to))
    spoken = known_language(language) or LANGUAGES[0]
    progress("compiling")
    game = load_cards(name, variants=variants, workspace=workspace).board
    progress("exporting")
    folder = Path(out)
    asked = CardExport(CardJob(game, language=spoken), base_url=base_url, variants=variants)

    def writes(form: CardFormat) -> Writes:
        def write(where: Path | None) -> Exported:
            return form.write(replace(asked, folder=where))

        return write

    plan = plan_files(game.id, variants, [(form.name, writes(form)) for form in formats], folder.absolute())
    progress("writing")
    write_files(folder, plan.files)
    return ExportedCards(game, folder, tuple(folder / file for file in sorted(plan.files)), plan.losses)


def card_formats() -> tuple[CardFormat, ...]:
    """Return the formats that `export_cards` writes."""
    return tuple(FORMATS.values())


def import_cards(
    file: str | Path, *, into: str | None = None, dry_run: bool = False, workspace: str | Path | None = None
) -> CardImport:
    """Read a card game from a `board.json`, into a new source package or one that is there.

    What changes a game that is there is one step of its journal, which `mapkit undo` takes back.

    Args:
        file: A board file, as `mapkit build` and `mapkit export --to json` write it.
        into: The game, made if there is none of that name; None only looks.
        dry_run: Only say what it would change.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        SourceError: The file is wrong; its place, the value and the cure are named. Nothing was written.
        BoardError: What it holds does not fit together.
        WorkspaceError: The file is missing, or the name is not valid for a board; likewise OutputError.
    """
    space = open_workspace(workspace)
    path = Path(file)
    game = read_game(path)
    document = document_of_game(game, path.name)
    after = CARDS.compile(document, board_id=into or game.id)
    if after.problems:
        raise BoardError(
            "\n".join([f"{path.name} holds mistakes; nothing was written:", *problem_lines(after.problems)])
        )
    session = session_of(space, into, CARDS)
    rows = () if session is None else row_changes(session.document, document)
    written: tuple[str, ...] = ()
    if into is not None and not dry_run:
        written = (
            written_new(space, into, CARDS, document)
            if session is None
            else written_step(session, CARDS.commands, rows, f"Import {path.name}")
        )
    return CardImport(
        file=path.name,
        title=game.title,
        holdings=len(game.holdings),
        railroads=sum(one.count for one in game.railroads),
        investors=len(game.investors),
        changed=None if session is None else len(rows),
        written=written,
    )
