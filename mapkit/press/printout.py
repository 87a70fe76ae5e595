"""Print and play: the board over tiles or as a poster, its plan, a ruler, sheets and cards in one PDF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from mapkit.core.errors import PrintError
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.words.language import Words, words_in
from mapkit.press.bleed import with_bleed
from mapkit.press.booklet import booklet_of
from mapkit.press.drawing import PaperPage as Drawing
from mapkit.press.form_objects import Leaf, Window, write_windows_pdf
from mapkit.press.impose import card_pages, cutting_lines, grid_of
from mapkit.press.job import PageRun, PrintJob, Printout
from mapkit.press.marks import crop_marks, tile_marks
from mapkit.press.paper import paper_size
from mapkit.press.plan_pages import assembly_page, plan_area, ruler_page, steps_of
from mapkit.press.svg_file import missing_letters, read_picture
from mapkit.press.tiling import MARKS, Tile, TilePlan, plan_tiles
from mapkit.press.vector import PdfPage, PlacedPicture

_NEARLY: Final = 0.5
"""Millimetres by which a sheet may exceed the paper before it is scaled."""

Progress = Callable[[str], None]


def print_and_play(
    board_svg: str | None,
    sheets: Sequence[Sheet],
    job: PrintJob,
    *,
    title: str,
    words: Words | None = None,
    progress: Progress = lambda _stage: None,
) -> Printout:
    """Return the PDF of a board and its sheets; the same input gives the same bytes.

    Args:
        board_svg: The board's drawing; None to print sheets only.
        sheets: Pages and cards, in order.
        job: Paper, scale and so on.
        title: The board's.
        words: The language of what stands around the pictures; English by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        PrintError: A picture cannot be read, the job does not fit the paper, or there is nothing to print.
    """
    job.check()
    words = words or words_in("en")
    if job.booklet:
        return _booklet(board_svg, sheets, job, words, title, progress)
    laid = _lay_out(board_svg, sheets, job, title, words, progress)
    progress("making the PDF")
    pdf = write_windows_pdf(laid.leaves, laid.board_svg, laid.sections, title=title)
    return Printout(pdf, laid.sections, laid.plan, laid.notes)


def printed_pages(
    sheets: Sequence[Sheet], job: PrintJob, *, title: str, words: Words
) -> tuple[tuple[PdfPage, ...], tuple[PageRun, ...], tuple[str, ...]]:
    """Return the pages that a printout of sheets alone has, what is where, and what its user should know.

    Args:
        sheets: Pages and cards, in order.
        job: As for `print_and_play`, without a booklet.
        title: Of what is printed.
        words: The language of what stands around the pictures.

    Raises:
        PrintError: As for `print_and_play`.
    """
    job.check()
    laid = _lay_out(None, sheets, job, title, words, lambda _stage: None)
    return tuple(leaf.page for leaf in laid.leaves), laid.sections, laid.notes


@dataclass(frozen=True)
class _LaidOut:
    """Pages before they are bound; the board's drawing has its bleed."""

    leaves: tuple[Leaf, ...]
    sections: tuple[PageRun, ...]
    plan: TilePlan | None
    notes: tuple[str, ...]
    board_svg: str | None


def _lay_out(
    board_svg: str | None, sheets: Sequence[Sheet], job: PrintJob, title: str, words: Words, progress: Progress
) -> _LaidOut:
    parts: list[tuple[str, list[Leaf]]] = []
    notes: list[str] = []
    plan: TilePlan | None = None
    _, paper = job.for_sheets
    pages = [sheet for sheet in sheets if sheet.kind == "page"]
    cards = [sheet for sheet in sheets if sheet.kind == "card"]
    if board_svg is not None:
        progress("laying out the board")
        factor = job.factor(read_picture(board_svg, "the board").width)
        board_svg = with_bleed(board_svg, job.bleed / factor, "the board")
        if job.is_poster:
            leaf = _poster(board_svg, factor, job.bleed)
            parts.append((words("printout.board"), [leaf]))
            notes.append(_poster_note(leaf.page, job.bleed))
        else:
            plan = _tiles(board_svg, factor, job)
            parts.append((words("printout.plan"), [_assembly(plan, board_svg, factor, job, title, words)]))
            tiles = [_tile(plan, tile, factor, job, title, words) for tile in plan.tiles]
            parts.append((words("printout.board"), tiles))
    if plan is not None or sheets:  # a poster alone is for a print shop, which gets that one page
        parts.insert(1 if parts else 0, (words("printout.ruler"), [_ruler(paper, words, cards)]))
    if pages:
        progress("laying out sheets")
        parts.append((words("printout.sheets"), _sheet_leaves(pages, paper, job.margin, notes)))
    if cards:
        progress("laying out cards")
        parts.append((words("printout.cards"), _card_leaves(cards, paper, job, notes)))
        if job.duplex and sum(len(leaves) for _, leaves in parts[:-1]) % 2:
            parts.insert(-1, (words("printout.empty"), [Leaf(PdfPage(*paper, ()))]))
    sections = _sections(parts)
    _note_duplex(sections, cards, job, notes)
    _note_letters([*([board_svg] if board_svg else []), *(sheet.svg for sheet in sheets)], notes)
    leaves = tuple(leaf for _, leaves in parts for leaf in leaves)
    return _LaidOut(leaves, sections, plan, tuple(notes), board_svg)


def _booklet(
    board_svg: str | None, sheets: Sequence[Sheet], job: PrintJob, words: Words, title: str, progress: Progress
) -> Printout:
    progress("laying out the booklet")
    notes: list[str] = []
    pages = [sheet for sheet in sheets if sheet.kind == "page"]
    picture = read_picture(board_svg, "the board") if board_svg is not None else None
    if not pages and picture is None:
        raise PrintError("there is nothing for a booklet; name board or sheets after --only")
    size = (picture.width, picture.height) if picture else None
    made = booklet_of(pages, size, paper_size(job.paper), margin=job.margin, title=title, words=words)
    sections = _sections([(words("printout.booklet"), list(made.leaves))])
    notes.append(
        f"{made.pages} pages on {len(made.leaves) // 2} leaves: print on both sides, turned over the short edge, lay "
        "the leaves on each other as they come, fold them in the middle and staple the fold"
    )
    if made.scale < 1:
        notes.append(f"sheets are printed at {made.scale * 100:.0f} % and above; larger paper makes them larger")
    if len(pages) < len(sheets):
        notes.append("cards are not in the booklet; print them with --only cards")
    _note_letters([*([board_svg] if board_svg else []), *(sheet.svg for sheet in pages)], notes)
    progress("making the PDF")
    pdf = write_windows_pdf(made.leaves, board_svg, sections, title=title)
    return Printout(pdf, sections, None, tuple(notes))


def _sections(parts: Sequence[tuple[str, list[Leaf]]]) -> tuple[PageRun, ...]:
    out: list[PageRun] = []
    first = 1
    for name, leaves in parts:
        out.append(PageRun(name, first, len(leaves)))
        first += len(leaves)
    return tuple(out)


def _tiles(board_svg: str, factor: float, job: PrintJob) -> TilePlan:
    picture = read_picture(board_svg, "the board")
    size = (picture.width * factor, picture.height * factor)
    return plan_tiles(*size, paper_size(job.paper), margin=job.margin, overlap=job.overlap)


def _tile(plan: TilePlan, tile: Tile, factor: float, job: PrintJob, title: str, words: Words) -> Leaf:
    x, y = plan.corner(tile)
    window = Window(x - tile.left, y - tile.top, factor, (x, y, x + tile.width, y + tile.height))
    marks = tile_marks(plan, tile, bleed=job.bleed, title=title, words=words)
    return Leaf(PdfPage(*plan.paper, (PlacedPicture(marks, 0, 0, *plan.paper),)), window)


def _assembly(plan: TilePlan, board_svg: str, factor: float, job: PrintJob, title: str, words: Words) -> Leaf:
    paper = plan.paper
    count = len(plan.tiles)
    bare = (plan.width - 2 * job.bleed, plan.height - 2 * job.bleed)
    size = words("printout.size", size=f"{bare[0]:.0f} x {bare[1]:.0f}")
    if factor != 1:
        percent = words.table.numbers.percent.format(number=words.plain(float(f"{factor * 100:.3g}")))
        size = words("printout.scaled", size=size, percent=percent)
    tiles = words.count("printout.tiles", count, paper=_called(job.paper), across=plan.columns, down=plan.rows)
    if count > 1:
        tiles = words("printout.overlap", tiles=tiles, overlap=words.plain(plan.overlap))
    lines = [size, tiles]
    if job.bleed:
        lines.append(words("printout.bleed", bleed=words.plain(job.bleed)))
    steps = steps_of(plan, paper, job.bleed, words)
    left, top, scale = plan_area(plan, paper, len(steps))
    picture = read_picture(board_svg, "the board")
    right, bottom = left + picture.width * factor * scale, top + picture.height * factor * scale
    window = Window(left, top, factor * scale, (left, top, right, bottom))
    drawn = assembly_page(plan, paper, title=title, lines=lines, steps=steps)
    return Leaf(PdfPage(*paper, (PlacedPicture(drawn, 0, 0, *paper),)), window)


def _called(paper: str) -> str:
    """Return `A4` for `a4`, `Letter` for `letter`."""
    return paper.lower().capitalize()


def _poster(board_svg: str, factor: float, bleed: float) -> Leaf:
    """Return the board on one page: of its own size, or with bleed, larger by it and by crop marks."""
    picture = read_picture(board_svg, "the board")
    width, height = picture.width * factor, picture.height * factor
    room = MARKS if bleed else 0.0
    size = (width + 2 * room, height + 2 * room)
    bled = (room, room, room + width, room + height)
    trim = (room + bleed, room + bleed, room + width - bleed, room + height - bleed)
    pictures: tuple[PlacedPicture, ...] = ()
    if bleed:
        page = Drawing(*size)
        crop_marks(page, trim, bled)
        pictures = (PlacedPicture(page.svg(), 0, 0, *size),)
    return Leaf(PdfPage(*size, pictures), Window(room, room, factor, bled), trim, bled)


def _poster_note(page: PdfPage, bleed: float) -> str:
    size = f"{page.width:.0f} x {page.height:.0f} mm"
    if not bleed:
        return f"the poster is one page of {size}"
    cut = 2 * (MARKS + bleed)
    return (
        f"the poster is {page.width - cut:.0f} x {page.height - cut:.0f} mm when it is cut; its page is {size}, with "
        f"{bleed:g} mm of bleed, and crop marks"
    )


def _ruler(paper: tuple[float, float], words: Words, cards: Sequence[Sheet]) -> Leaf:
    """Return the ruler, with the outline of the cards that are printed."""
    size = (cards[0].width_mm, cards[0].height_mm) if cards else CARD
    return Leaf(PdfPage(*paper, (PlacedPicture(ruler_page(paper, words, size), 0, 0, *paper),)))


def _sheet_leaves(pages: Sequence[Sheet], paper: tuple[float, float], margin: float, notes: list[str]) -> list[Leaf]:
    """Return the leaves of page sheets.

    At their own size where they fit the paper, several side by side where there is room; else scaled down into the
    margins.
    """
    leaves: list[Leaf] = []
    for size, group in groupby(pages, key=lambda sheet: (sheet.width_mm, sheet.height_mm)):
        some = list(group)
        if all(side <= most + _NEARLY for side, most in zip(sorted(size), sorted(paper), strict=True)):
            leaves += _at_size(some, size, paper)
        else:
            leaves += _scaled(some, size, paper, margin, notes)
    return leaves


def _at_size(some: Sequence[Sheet], size: tuple[float, float], paper: tuple[float, float]) -> list[Leaf]:
    near = (size[0] - _NEARLY, size[1] - _NEARLY)
    grid = grid_of(near, paper, margin=0, bleed=0)
    out = []
    for start in range(0, len(some), grid.per_page):
        spots = [grid.corner(place) for place in range(len(some[start : start + grid.per_page]))]
        placed = [
            PlacedPicture(sheet.svg, x - _NEARLY / 2, y - _NEARLY / 2, *size)
            for sheet, (x, y) in zip(some[start : start + grid.per_page], spots, strict=True)
        ]
        if grid.per_page > 1:
            placed.append(PlacedPicture(cutting_lines(grid, spots, 0), 0, 0, *grid.paper))
        out.append(Leaf(PdfPage(*grid.paper, tuple(placed))))
    return out


def _scaled(
    some: Sequence[Sheet], size: tuple[float, float], paper: tuple[float, float], margin: float, notes: list[str]
) -> list[Leaf]:
    ways = [
        (min((sheet[0] - 2 * margin) / size[0], (sheet[1] - 2 * margin) / size[1]), sheet)
        for sheet in (paper, (paper[1], paper[0]))
    ]
    scale, sheet = max(ways)
    wide, high = size[0] * scale, size[1] * scale
    x, y = (sheet[0] - wide) / 2, (sheet[1] - high) / 2
    names = ", ".join(one.id for one in some)
    notes.append(f"printed at {scale * 100:.0f} % to fit the paper ({size[0]:g} x {size[1]:g} mm): {names}")
    return [Leaf(PdfPage(*sheet, (PlacedPicture(one.svg, x, y, wide, high),))) for one in some]


def _card_leaves(cards: Sequence[Sheet], paper: tuple[float, float], job: PrintJob, notes: list[str]) -> list[Leaf]:
    pages = card_pages(cards, paper, margin=job.margin, bleed=job.bleed, backs=job.duplex)
    if not job.duplex and any(card.back for card in cards):
        notes.append("the backs of cards are left out; --duplex prints them")
    return [Leaf(page) for page in pages]


def _note_duplex(sections: Sequence[PageRun], cards: Sequence[Sheet], job: PrintJob, notes: list[str]) -> None:
    if not (job.duplex and cards):
        return
    last = sections[-1]
    notes.append(
        f"print pages {last.first} to {last.first + last.pages - 1} on both sides of the paper, turned over the long "
        "edge of upright pages and the short edge of pages across; print all others on one side"
    )


def _note_letters(svgs: Sequence[str], notes: list[str]) -> None:
    letters = sorted({letter for svg in svgs for letter in missing_letters(svg)})
    if letters:
        notes.append(
            f"the fonts lack these letters, so they are printed as empty boxes or not at all: {' '.join(letters)}"
        )
