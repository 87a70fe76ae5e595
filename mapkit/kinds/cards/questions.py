"""What the page of card games gets and asks: pictures of cards, the printed sheets, what changed since saving."""

import base64
from collections.abc import Iterator
from typing import Final, Literal, get_args

from pydantic import Field

from mapkit.core.base import JsonObject
from mapkit.core.errors import MapkitError, did_you_mean
from mapkit.document.changes import difference, row_json
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.theme import THEMES
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.cards.columns import columns, rule_settings
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
from mapkit.press.embed import font_rules
from mapkit.press.job import PrintJob
from mapkit.press.page_svg import page_svg
from mapkit.press.printout import print_and_play, printed_pages

CutPaper = Literal["a4", "letter", "a3", "tabloid"]

_ROWS: Final = {
    "holding": "holdings",
    "certificate": "certificates",
    "railroad": "railroads",
    "face": "faces",
    "investor": "investors",
}
"""What a face says of itself -> the table of that row."""


class CardsAsked(PageQuestion):
    """How cards are drawn, and of which document: as it is now, or as it was saved."""

    theme: str = Field(default="classic", max_length=40)
    language: Language = "en"
    size: str = Field(default="poker", max_length=20)
    at: Literal["now", "saved"] = "now"


class PagesAsked(CardsAsked):
    """How cards are printed."""

    paper: CutPaper = "a4"
    bleed: float = Field(default=0.0, ge=0, le=10, allow_inf_nan=False)
    backs: bool = False


class Pictured(QueryResult):
    """A card, a line of the track or a token as a picture.

    `rows` are the rows that it shows, each as table and id; `wide` says that it needs a line of its own.
    """

    id: str
    sort: str
    title: str
    rows: tuple[tuple[str, str], ...]
    count: int = 1
    svg: str
    wide: bool = False


class Pictures(QueryResult):
    """Every different card, the pages of the track and the tokens, with the style sheet that carries their fonts."""

    fonts: str
    pictures: tuple[Pictured, ...]


class PrintedPages(QueryResult):
    """The pages of a printout as pictures, what stands on which, and what to know."""

    fonts: str
    pages: tuple[str, ...]
    sections: tuple[tuple[str, int, int], ...] = Field(description="Title, first page, how many")
    notes: tuple[str, ...]


class PrintedFile(QueryResult):
    """The printout as PDF, in base64."""

    name: str
    pdf: str


class ChangedRow(QueryResult):
    """A row that is not as it was saved; null where there is none."""

    table: str
    key: str
    before: JsonObject | None
    after: JsonObject | None


class ChangedRows(QueryResult):
    """All rows that are not as they were saved."""

    rows: tuple[ChangedRow, ...]


def page_view(compiled: CompiledCards) -> View:
    """Return what the page needs beside the tables; it asks for pictures once the author rests."""
    return {
        "columns": {name: [one.model_dump(mode="json") for one in some] for name, some in columns().items()},
        "rules": [one.model_dump(mode="json") for one in rule_settings()],
        "themes": list(THEMES),
        "sizes": list(SIZES),
        "languages": list(LANGUAGES),
        "papers": list(get_args(CutPaper)),
        "board": compiled.board.id,
    }


def _job(asked: BoardSnapshot[CompiledCards], look: CardsAsked) -> CardJob:
    if look.theme not in THEMES:
        raise QueryError(f"no theme {look.theme!r}{did_you_mean(look.theme, THEMES)}; {', '.join(THEMES)} are")
    american = isinstance(look, PagesAsked) and look.paper in ("letter", "tabloid")
    try:
        size = card_size(look.size)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return CardJob(_game(asked, look.at), THEMES[look.theme], size, "letter" if american else "a4", look.language)


def _game(asked: BoardSnapshot[CompiledCards], at: Literal["now", "saved"]) -> CardGame:
    if at == "now" or asked.document_at is None:
        return asked.live.board
    return asked.live.recompile(asked.document_at("saved")).board


def _pictures(asked: BoardSnapshot[CompiledCards], look: CardsAsked) -> Pictures:
    job = _job(asked, look)
    return Pictures(fonts=font_rules(), pictures=(*_cards(job), *_backs(job), *_track(job), *_tokens(job)))


def _cards(job: CardJob) -> Iterator[Pictured]:
    counts = {one.id: one.count for one in job.game.railroads}
    for face in all_faces(job):
        rows = tuple((_ROWS[name], str(face.data[name])) for name in _ROWS if _is_own(face, name))
        count = overview_count(job) if face.kind == "overview" else counts.get(str(face.data.get("railroad", "")), 1)
        yield Pictured(id=face.id, sort=face.kind, title=face.title, rows=rows, count=count, svg=face_svg(job, face)[0])


def _is_own(face: CardFace, name: str) -> bool:
    """Whether a face shows that row: a certificate names its holding, but is not the holding."""
    return name in face.data and (name == face.kind or (face.kind, name) == ("railroad", "face"))


def _backs(job: CardJob) -> Iterator[Pictured]:
    for kind in KINDS:
        face = back_face(job, kind)
        yield Pictured(id=face.id, sort="back", title=face.title, rows=(), svg=face_svg(job, face)[0])


def _track(job: CardJob) -> Iterator[Pictured]:
    rows = tuple(("track", one.id) for one in job.game.track)
    for sheet in track_sheets(job) if rows else ():
        yield Pictured(id=sheet.id, sort="track", title=sheet.title, rows=rows, svg=sheet.svg, wide=True)


def _tokens(job: CardJob) -> Iterator[Pictured]:
    for one in job.game.tokens:
        title = token_title(job, one)
        row = ("tokens", one.id)
        yield Pictured(
            id=f"tokens-{one.id}", sort="token", title=title, rows=(row,), count=one.count, svg=token_svg(job, one)
        )


def _sheets(job: CardJob) -> list[Sheet]:
    return [*rule_sheets(job), *track_sheets(job), *token_sheets(job), *card_sheets(job)]


def _print_job(paper: PagesAsked) -> PrintJob:
    return PrintJob(paper=paper.paper, bleed=paper.bleed, duplex=paper.backs)


def _pages(asked: BoardSnapshot[CompiledCards], paper: PagesAsked) -> PrintedPages:
    job = _job(asked, paper)
    try:
        pages, sections, notes = printed_pages(_sheets(job), _print_job(paper), title=job.title, words=job.words)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return PrintedPages(
        fonts=font_rules(),
        pages=tuple(page_svg(page) for page in pages),
        sections=tuple((one.title, one.first, one.pages) for one in sections),
        notes=notes,
    )


def _printed(asked: BoardSnapshot[CompiledCards], paper: PagesAsked) -> PrintedFile:
    job = _job(asked, paper)
    try:
        printout = print_and_play(None, _sheets(job), _print_job(paper), title=job.title, words=job.words)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return PrintedFile(name=f"{job.game.id}-{paper.paper}.pdf", pdf=base64.b64encode(printout.pdf).decode("ascii"))


def _changed(asked: BoardSnapshot[CompiledCards], question: PageQuestion) -> ChangedRows:
    del question
    now = asked.live.document
    saved = now if asked.document_at is None else asked.document_at("saved")
    order = list(now.schema.tables)
    changes = sorted(difference(saved, now), key=lambda one: order.index(one.table))
    rows = [(one.table, one.key, row_json(one.before), row_json(one.after)) for one in changes]
    return ChangedRows(rows=tuple(ChangedRow(table=t, key=k, before=was, after=row) for t, k, was, row in rows))


QUESTIONS: Final[Questions[CompiledCards]] = {
    "pictures": (CardsAsked, _pictures),
    "pages": (PagesAsked, _pages),
    "printed": (PagesAsked, _printed),
    "changed": (PageQuestion, _changed),
}
"""What the page asks."""
