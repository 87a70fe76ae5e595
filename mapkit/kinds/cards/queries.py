"""Read-only queries of the page of card games: pictures of cards, printed sheets, changes since saving."""

import base64
from collections.abc import Iterator
from typing import Final, Literal, get_args

from pydantic import Field

from mapkit.core.base import JsonObject
from mapkit.core.errors import MapkitError, did_you_mean
from mapkit.document.changes import difference, row_json
from mapkit.drawing.embedded_fonts import font_rules
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.theme import THEMES
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.cards.columns import rule_settings, table_columns
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.render.cards import KINDS, all_faces, card_sheets, overview_count
from mapkit.kinds.cards.render.face import CardFace, back_face, face_svg
from mapkit.kinds.cards.render.job import SIZES, CardJob, card_size
from mapkit.kinds.cards.render.rules_pages import rule_sheets
from mapkit.kinds.cards.render.tokens import token_sheets, token_svg, token_title
from mapkit.kinds.cards.render.track import track_sheets
from mapkit.kinds.protocol import QueryResult, View
from mapkit.kinds.queries import BoardSnapshot, PageQuestion, QueryError, Questions
from mapkit.press.job import PrintJob
from mapkit.press.page_svg import page_svg
from mapkit.press.printout import lay_out_sheets, print_and_play

CutPaper = Literal["a4", "letter", "a3", "tabloid"]

_TABLE_BY_FIELD: Final = {
    "holding": "holdings",
    "certificate": "certificates",
    "railroad": "railroads",
    "face": "faces",
    "investor": "investors",
}
"""Table of the row in each field of a face's data that contains a row id."""


class CardsAsked(PageQuestion):
    """Appearance of drawn cards, and the version of the document: current or saved."""

    theme: str = Field(default="classic", max_length=40)
    language: Language = "en"
    size: str = Field(default="poker", max_length=20)
    at: Literal["now", "saved"] = "now"


class PagesAsked(CardsAsked):
    """Options of printed cards."""

    paper: CutPaper = "a4"
    bleed: float = Field(default=0.0, ge=0, le=10, allow_inf_nan=False)
    backs: bool = False


class Pictured(QueryResult):
    """Picture of a card, a line of the track or a token.

    `rows` are the rows shown, each as table and id; a `wide` picture needs a line of its own on the page.
    """

    id: str
    sort: str
    title: str
    rows: tuple[tuple[str, str], ...]
    count: int = 1
    svg: str
    wide: bool = False


class Pictures(QueryResult):
    """Every different card, the pages of the track and the tokens, with the style sheet of their fonts."""

    fonts: str
    pictures: tuple[Pictured, ...]


class PrintedPages(QueryResult):
    """Pages of a printout as pictures, with their sections and notes."""

    fonts: str
    pages: tuple[str, ...]
    sections: tuple[tuple[str, int, int], ...] = Field(description="Title, first page, how many")
    notes: tuple[str, ...]


class PrintedFile(QueryResult):
    """The printout as PDF, in base64."""

    name: str
    pdf: str


class ChangedRow(QueryResult):
    """Row before and after the changes since saving; null before it was added or after it was removed."""

    table: str
    key: str
    before: JsonObject | None
    after: JsonObject | None


class ChangedRows(QueryResult):
    """All rows that differ from the saved ones."""

    rows: tuple[ChangedRow, ...]


def page_view(compiled: CompiledCards) -> View:
    """Return the page's data other than tables and pictures; the page queries pictures when the author pauses."""
    return {
        "columns": {
            name: [column.model_dump(mode="json") for column in table_columns]
            for name, table_columns in table_columns().items()
        },
        "rules": [setting.model_dump(mode="json") for setting in rule_settings()],
        "themes": list(THEMES),
        "sizes": list(SIZES),
        "languages": list(LANGUAGES),
        "papers": list(get_args(CutPaper)),
        "board": compiled.board.id,
    }


def _make_job(asked: BoardSnapshot[CompiledCards], look: CardsAsked) -> CardJob:
    if look.theme not in THEMES:
        raise QueryError(f"no theme {look.theme!r}{did_you_mean(look.theme, THEMES)}; {', '.join(THEMES)} are")
    is_american = isinstance(look, PagesAsked) and look.paper in ("letter", "tabloid")
    try:
        size = card_size(look.size)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return CardJob(
        _select_game(asked, look.at), THEMES[look.theme], size, "letter" if is_american else "a4", look.language
    )


def _select_game(asked: BoardSnapshot[CompiledCards], at: Literal["now", "saved"]) -> CardGame:
    if at == "now" or asked.document_at is None:
        return asked.live.board
    return asked.live.recompile(asked.document_at("saved")).board


def _draw_pictures(asked: BoardSnapshot[CompiledCards], look: CardsAsked) -> Pictures:
    job = _make_job(asked, look)
    return Pictures(
        fonts=font_rules(job.theme.family),
        pictures=(*_card_pictures(job), *_back_pictures(job), *_track_pictures(job), *_token_pictures(job)),
    )


def _card_pictures(job: CardJob) -> Iterator[Pictured]:
    count_by_railroad = {railroad.id: railroad.count for railroad in job.game.railroads}
    for face in all_faces(job):
        shown_rows = tuple(
            (_TABLE_BY_FIELD[name], str(face.data[name])) for name in _TABLE_BY_FIELD if _is_own(face, name)
        )
        count = (
            overview_count(job)
            if face.kind == "overview"
            else count_by_railroad.get(str(face.data.get("railroad", "")), 1)
        )
        yield Pictured(
            id=face.id, sort=face.kind, title=face.title, rows=shown_rows, count=count, svg=face_svg(job, face)[0]
        )


def _is_own(face: CardFace, name: str) -> bool:
    """Return whether a face depicts the row in a field; a certificate names its holding, but does not depict it."""
    return name in face.data and (name == face.kind or (face.kind, name) == ("railroad", "face"))


def _back_pictures(job: CardJob) -> Iterator[Pictured]:
    for kind in KINDS:
        face = back_face(job, kind)
        yield Pictured(id=face.id, sort="back", title=face.title, rows=(), svg=face_svg(job, face)[0])


def _track_pictures(job: CardJob) -> Iterator[Pictured]:
    track_rows = tuple(("track", space.id) for space in job.game.track)
    for sheet in track_sheets(job) if track_rows else ():
        yield Pictured(id=sheet.id, sort="track", title=sheet.title, rows=track_rows, svg=sheet.svg, wide=True)


def _token_pictures(job: CardJob) -> Iterator[Pictured]:
    for token_row in job.game.tokens:
        title = token_title(job, token_row)
        row = ("tokens", token_row.id)
        yield Pictured(
            id=f"tokens-{token_row.id}",
            sort="token",
            title=title,
            rows=(row,),
            count=token_row.count,
            svg=token_svg(job, token_row),
        )


def _print_sheets(job: CardJob) -> list[Sheet]:
    return [*rule_sheets(job), *track_sheets(job), *token_sheets(job), *card_sheets(job)]


def _print_job(paper: PagesAsked) -> PrintJob:
    return PrintJob(paper=paper.paper, bleed=paper.bleed, duplex=paper.backs)


def _draw_pages(asked: BoardSnapshot[CompiledCards], paper: PagesAsked) -> PrintedPages:
    job = _make_job(asked, paper)
    try:
        pages, sections, notes = lay_out_sheets(_print_sheets(job), _print_job(paper), title=job.title, words=job.words)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return PrintedPages(
        fonts=font_rules(job.theme.family),
        pages=tuple(page_svg(page) for page in pages),
        sections=tuple((section.title, section.first, section.pages) for section in sections),
        notes=notes,
    )


def _make_pdf(asked: BoardSnapshot[CompiledCards], paper: PagesAsked) -> PrintedFile:
    job = _make_job(asked, paper)
    try:
        printout = print_and_play(None, _print_sheets(job), _print_job(paper), title=job.title, words=job.words)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return PrintedFile(name=f"{job.game.id}-{paper.paper}.pdf", pdf=base64.b64encode(printout.pdf).decode("ascii"))


def _list_changes(asked: BoardSnapshot[CompiledCards], question: PageQuestion) -> ChangedRows:
    del question
    current_document = asked.live.document
    saved_document = current_document if asked.document_at is None else asked.document_at("saved")
    table_order = list(current_document.schema.tables)
    row_changes = sorted(difference(saved_document, current_document), key=lambda one: table_order.index(one.table))
    changed_rows = [
        (change.table, change.key, row_json(change.before), row_json(change.after)) for change in row_changes
    ]
    return ChangedRows(rows=tuple(ChangedRow(table=t, key=k, before=was, after=row) for t, k, was, row in changed_rows))


QUESTIONS: Final[Questions[CompiledCards]] = {
    "pictures": (CardsAsked, _draw_pictures),
    "pages": (PagesAsked, _draw_pages),
    "printed": (PagesAsked, _make_pdf),
    "changed": (PageQuestion, _list_changes),
}
"""Queries of the page by name: the class of the body, and the function that answers it."""
