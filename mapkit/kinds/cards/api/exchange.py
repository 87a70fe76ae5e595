"""Card games written in formats of other programs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.words.language import known_language
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.exchange.plan import Exported, Writes, plan_files
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.registry import FORMATS, card_formats_named
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.render.job import CardJob


@dataclass(frozen=True)
class ExportedCards:
    """What `export_cards` wrote: the files, and for each format what of the game it does not hold."""

    game: CardGame
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]


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
    asked = CardExport(CardJob(game, language=spoken), base_url=base_url)

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
