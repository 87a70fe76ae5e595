"""Operations of card games: loaded, exported, read from files, drawn, printed, reported on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from mapkit.core.errors import BoardError, ChoiceError, RulesError, did_you_mean
from mapkit.core.findings import finding_lines
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.changes import apply
from mapkit.document.draft import CommandError
from mapkit.document.importing import row_changes
from mapkit.document.workspace import open_workspace
from mapkit.drawing.look import Look
from mapkit.drawing.picture_files import KINDS as PICTURES
from mapkit.drawing.picture_files import picture_bytes
from mapkit.drawing.theme.theme import Theme
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.cards.analysis.report import CardReport
from mapkit.kinds.cards.analysis.report_builder import make_card_report
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.game_json import read_game
from mapkit.kinds.cards.exchange.game_rows import document_of_game
from mapkit.kinds.cards.exchange.registry import FORMATS
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.playing.match import known_players
from mapkit.kinds.cards.playing.study import CardTable
from mapkit.kinds.cards.playing.terms import compile_terms
from mapkit.kinds.cards.render.cards import KINDS, all_faces, card_groups
from mapkit.kinds.cards.render.face import back_face, face_svg
from mapkit.kinds.cards.render.job import CardJob, card_size
from mapkit.kinds.cards.render.rules_pages import rule_sheets
from mapkit.kinds.cards.render.sheet import draw_cards
from mapkit.kinds.cards.render.tokens import token_sheets
from mapkit.kinds.cards.render.track import track_sheets
from mapkit.kinds.cards.tables import CardDocument
from mapkit.kinds.operations import (
    BoardOperations,
    ExportRequest,
    PrintedPages,
    ReadDocument,
    choose_sheets,
    language_of,
)
from mapkit.operations.options import Argument, BoardName, Flag, Language, Output, Seed, Variants, Workspace

if TYPE_CHECKING:
    from mapkit.press.job import PrintJob
    from mapkit.press.parts import PrintedParts

PAGES: Final = ("rules", "track", "tokens")
"""Parts of a printout beside `cards`, sorts of cards, ids of sheets and what they begin with."""
_MOST_GAMES: Final = 100_000

CardSize = Annotated[str, Flag("", "poker|bridge|mini|tarot|WxH", "Of cards; your own in mm: 60x110.")]


@dataclass(frozen=True)
class CardImporting:
    """Read a card game from a board file.

    A game that is there changes by one step, which mapkit undo takes back.
    """

    file: Annotated[str | Path, Argument("", "FILE", "A board file of a card game (board.json).")] = ""
    into: Annotated[
        str | None, Flag("--into --board -b", "BOARD", "The game, made if it is not there; without it, only look.")
    ] = None


@dataclass(frozen=True)
class CardExporting:
    """Write a card game in formats of other programs: virtual tables, card makers, 18xx-maker, game servers.

    The files of a single format go into the folder; of several, each format gets a folder of its name, and
    manifest.json lists all files with their hashes. Says what a format does not hold. All files are written or none.

    Attributes:
        language: Of cards and texts.
    """

    language: Language = "en"


@dataclass(frozen=True)
class CardDrawing:
    """Draw the cards of a game in a theme, as SVG, PNG or PDF.

    All different cards and the track stand in one picture; --each draws each in a file of its own. In an SVG each card
    is a group with an id and its figures as data- attributes. `mapkit list themes` lists themes; or give your own.
    """

    card_size: CardSize = "poker"
    each: Annotated[str | None, Flag("", "svg|png|pdf", "Draw a file for each face and back, into a folder.")] = None
    out: Annotated[
        str | Path | None, Output("-o", "PATH", "A .svg, .png or .pdf, or with --each a folder; named for the game.")
    ] = None


@dataclass(frozen=True)
class CardPrinting:
    """Write a card game to print and play as one PDF: rules, track of share values, tokens, cards.

    With --duplex each page of cards is followed by its backs, mirrored: a railroad of two faces has the other on its
    back. With --bleed each card has its own crop marks. Money is not printed. All files are written or none.
    """

    paper: Annotated[str, Flag("-p", "a4|letter|a3|tabloid", "Of all pages.")] = "a4"
    only: Annotated[
        Sequence[str],
        Flag(
            "",
            "rules,track,tokens,cards",
            "Print these only; sorts of cards (certificate, railroad) and ids of sheets work too.",
            reading="commas",
        ),
    ] = ()
    bleed: Annotated[float, Flag("", "MM", "How far to print over the edge of cards; print shops ask 3.")] = 0.0
    card_size: CardSize = "poker"


def load_cards(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CompiledCards:
    """Return a card game without errors.

    Args:
        name: A game of the workspace, a shipped one, or the folder of a source package.
        variants: Variants to apply, in order.
        settings: Rules to change on top: path -> value, `setup.bids` -> `face`.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The checks find errors, which are listed.
        RulesError: There is no such setting, or it cannot have that value.
        MapkitError: There is no such game or variant.
    """
    space, name = open_workspace(workspace), str(name)
    compiled, unread = CARDS.load(space, name, variants, progress)
    if settings:
        document = CARDS.vary(space, CARDS.read(CARDS.read_files(space.board_folder(name))).document, name, variants)
        compiled = CARDS.compile(_with_rules(document, settings), board_id=compiled.board.id)
    report = CARDS.check(compiled, unread)
    if not report.ok:
        raise BoardError("\n".join([f"{name} cannot be used as it is:", *finding_lines(report.errors)]))
    return compiled


def _with_rules(document: CardDocument, settings: Mapping[str, object]) -> CardDocument:
    for path, value in settings.items():
        command = {"kind": "set-settings", "values": {f"rules.{path.removeprefix('rules.')}": value}}
        try:
            document = apply(document, CARDS.commands.read(command).plan(document).patch)
        except CommandError as error:
            raise RulesError(f"--set {path}: {error}") from error
    return document


def card_report(
    board: BoardName,
    *,
    games: Annotated[int, Flag("-n", "N")] = 200,
    policy: Annotated[str, Flag("", "NAME")] = "greedy",
    seed: Seed = 1,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> CardReport:
    """Report on a card game: returns of railroads, earnings of holdings, the length of a game, investors.

    What the tables say is exact: after how many rounds a railroad has paid for itself, what a holding can earn with its
    operators, the fewest rounds. How long railroads run, and what investors are worth, is measured by play.

    Args:
        games: How many games are played for it.
        policy: Who plays them: greedy, planner or random.
        seed: The same seed gives the same games.

    Raises:
        BoardError: The game has errors, or cannot be played.
        ChoiceError: A number is out of range, or there is no such player.
        MapkitError: As for `load_cards`.
    """
    if not 1 <= games <= _MOST_GAMES:
        raise ChoiceError(f"{games} games; ask for 1 to {_MOST_GAMES:,}")
    if not 0 <= seed < 1 << 64:
        raise ChoiceError(f"the seed is {seed}; choose a number from 0 to 2**64 - 1")
    names = known_players((policy,))
    game = load_cards(board, variants=variants, workspace=workspace).board
    return make_card_report(CardTable(compile_terms(game), names, seed), games, variants=variants, progress=progress)


class CardOperations(BoardOperations[CardGame]):
    """Operations of card games."""

    board_type = CardGame
    formats = FORMATS
    export_options = CardExporting
    draw_options = CardDrawing
    print_options = CardPrinting
    game = "mapkit.kinds.cards.api.playtesting:CARD_GAME"
    referee = "mapkit.kinds.cards.api.refereeing:judge_log"
    load_named = staticmethod(load_cards)

    def check_export(self, formats: Sequence[CardFormat], options: CardExporting) -> None:
        """Refuse a language that there is not."""
        del formats
        language_of(options.language)

    def write(self, form: CardFormat, board: CardGame, request: ExportRequest) -> ExportedBoard:
        """Return the files of a game in a format."""
        job = CardJob(board, language=language_of(request.options.language))
        return form.write(CardExport(job, request.base_url, request.variants))

    def read(self, path: Path, board_id: str | None, session: Any) -> ReadDocument[Any]:  # noqa: ANN401 - of card games
        """Return the contents of a board file."""
        game = read_game(path)
        document = document_of_game(game, path.name)
        after = CARDS.compile(document, board_id=board_id or game.id)
        if after.problems:
            head = f"{path.name} holds mistakes; nothing was written:"
            raise BoardError("\n".join([head, *problem_lines(after.problems)]))
        counts = {
            "holdings": len(game.holdings),
            "railroads": sum(one.count for one in game.railroads),
            "investors": len(game.investors),
        }
        rows = () if session is None else row_changes(session.document, document)
        said = ", ".join(f"{count} {name}" for name, count in counts.items())
        return ReadDocument("json", game.title, document, rows, counts, said)

    def draw(self, board: CardGame, theme: Theme, look: Look, options: CardDrawing) -> str:
        """Return all different cards, side by side, as SVG."""
        return draw_cards(_job(board, theme, look, options))

    def draw_parts(self, board: CardGame, theme: Theme, look: Look, options: CardDrawing) -> Mapping[str, bytes]:
        """Return a picture of each face and back, if the options ask for them."""
        if options.each is None:
            return {}
        if options.each not in PICTURES:
            hint = did_you_mean(options.each, PICTURES)
            raise ChoiceError(f"{options.each!r} is not a kind of picture{hint}; {', '.join(PICTURES)} are")
        job = _job(board, theme, look, options)
        faces = (*all_faces(job), *(back_face(job, sort) for sort in KINDS))
        return {
            f"{face.id}.{options.each}": picture_bytes(
                face_svg(job, face)[0], options.each, dpi=look.dpi, fonts=look.fonts, name=face.id
            )[0]
            for face in faces
        }

    def pages(
        self, board: CardGame, theme: Theme, job: "PrintJob", parts: "PrintedParts", options: CardPrinting
    ) -> PrintedPages:
        """Return the rules, the track, the tokens and the cards."""
        size, language = card_size(options.card_size), language_of(parts.language)
        made = CardJob(board, theme, size, job.drawn_paper, language)
        pages = {"rules": rule_sheets(made), "track": track_sheets(made), "tokens": token_sheets(made)}
        named = [({name, sheet.id}, sheet) for name, sheets in pages.items() for sheet in sheets]
        if parts.only or not job.booklet:
            named += [
                ({"cards", kind, sheet.id, _stem(sheet.id)}, sheet)
                for kind, sheets in card_groups(made)
                for sheet in sheets
            ]
        return PrintedPages(None, choose_sheets(named, parts.only, (*PAGES, "cards", *KINDS)), board.title, made.words)


def _job(board: CardGame, theme: Theme, look: Look, options: CardDrawing) -> CardJob:
    return CardJob(board, theme, card_size(options.card_size), language=language_of(look.language))


def _stem(ident: str) -> str:
    """Return the id of cards that look alike."""
    head, _, number = ident.rpartition("-")
    return head if number.isdecimal() else ident


CARD_OPERATIONS: Final = CardOperations()
