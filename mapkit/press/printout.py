"""Print and play: the board as tiles or poster, its plan, a ruler, sheets and cards in one PDF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from mapkit.core.errors import PrintError
from mapkit.core.plurals import count_noun
from mapkit.drawing.fit import wrap_text
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.svg_file import missing_letters, read_picture
from mapkit.drawing.words.language import Words, words_in
from mapkit.press.bleed import add_bleed
from mapkit.press.booklet import make_booklet
from mapkit.press.drawing import HAIR, INK, QUIET, PaperPage
from mapkit.press.folds import Fold, plan_folds
from mapkit.press.form_objects import Leaf, Window, write_windows_pdf
from mapkit.press.impose import card_pages, cutting_lines, fit_grid
from mapkit.press.job import PageRun, PrintJob, Printout
from mapkit.press.paper import paper_size
from mapkit.press.tiling import MARKS, Tile, TilePlan, plan_tiles
from mapkit.press.vector import PdfPage, PlacedPicture

# Pages for the person who prints: the assembly plan and the ruler.

_PAGE_EDGE: Final = 14.0
_MAP_TOP: Final = 52.0
_TEXT_SIZE: Final = 3.4
_LINE_SPACING: Final = 5.2
_NUMBER_WIDTH: Final = 4.0
"""Room for the number of a step."""


def plan_area(plan: TilePlan, paper: tuple[float, float], steps: int) -> tuple[float, float, float]:
    """Return the position of the miniature board on the plan's page: left, top, and scale."""
    available_size = (paper[0] - 2 * _PAGE_EDGE, paper[1] - _MAP_TOP - _PAGE_EDGE - 8 - (steps + 1) * _LINE_SPACING)
    map_scale = min(available_size[0] / plan.width, available_size[1] / plan.height)
    return (paper[0] - plan.width * map_scale) / 2, _MAP_TOP, map_scale


def assembly_steps(
    plan: TilePlan, paper: tuple[float, float], bleed: float, words: Words
) -> tuple[tuple[str, str], ...]:
    """Return the assembly instructions, wrapped to the page: the number of each new step, and a line."""
    step_texts = [words("printout.every_page")]
    if len(plan.tiles) > 1:
        glue_step = words("printout.glue", overlap=words.plain(plan.overlap))
        step_texts += [words("printout.strips"), glue_step, words("printout.rows")]
    step_texts.append(words("printout.cut_marks" if bleed else "printout.cut_board"))
    line_width = paper[0] - 2 * _PAGE_EDGE - _NUMBER_WIDTH
    return tuple(
        ("" if line_index else f"{number}.", line)
        for number, step in enumerate(step_texts, 1)
        for line_index, line in enumerate(wrap_text(step, line_width, _TEXT_SIZE))
    )


def assembly_page(
    plan: TilePlan, paper: tuple[float, float], *, title: str, lines: Sequence[str], steps: Sequence[tuple[str, str]]
) -> str:
    """Return the assembly plan as SVG, to be drawn over a miniature board at `plan_area`.

    Args:
        plan: The tiles.
        paper: Width and height of the page.
        title: The board's.
        lines: What stands below the title: size, sheets, contents.
        steps: What to do, as `steps_of` says.
    """
    page = PaperPage(*paper)
    page.text(title, (_PAGE_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate(lines):
        page.text(line, (_PAGE_EDGE, 28 + number * _LINE_SPACING), _TEXT_SIZE)
    left, top, scale = plan_area(plan, paper, len(steps))
    page.box((left, top, plan.width * scale, plan.height * scale), edge=INK, width=0.3)
    for tile in plan.tiles:
        x, y = left + tile.left * scale, top + tile.top * scale
        tile_width, tile_height = tile.width * scale, tile.height * scale
        page.box((x, y, tile_width, tile_height), edge="#ffffff", width=0.7)
        page.box((x, y, tile_width, tile_height), edge="#c8102e", width=0.3)
        label_size = min(5.0, tile_width * 0.3, tile_height * 0.3)
        label_middle = (x + tile_width / 2, y + tile_height / 2 + label_size * 0.35)
        page.box(
            (label_middle[0] - label_size, label_middle[1] - label_size * 1.05, 2 * label_size, label_size * 1.45),
            fill="#ffffff",
            opacity=0.85,
        )
        page.text(tile.label, label_middle, label_size, bold=True, anchor="middle", ink="#c8102e")
    y = top + plan.height * scale + 8
    for line_index, (step_number, step) in enumerate(steps):
        page.text(step_number, (_PAGE_EDGE, y + line_index * _LINE_SPACING), _TEXT_SIZE)
        page.text(step, (_PAGE_EDGE + _NUMBER_WIDTH, y + line_index * _LINE_SPACING), _TEXT_SIZE)
    return page.svg()


def ruler_page(paper: tuple[float, float], words: Words, card: tuple[float, float] = CARD) -> str:
    """Return the page that tests a printer's scale: 100 mm, 4 inches, a square, a card if it fits.

    Args:
        paper: Width and height of the page in millimetres.
        words: Of its language.
        card: Width and height of the cards that are printed, in millimetres.
    """
    page = PaperPage(*paper)
    page.text(words("printout.full_size"), (_PAGE_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate((words("printout.actual"), words("printout.measure"))):
        page.text(line, (_PAGE_EDGE, 28 + number * _LINE_SPACING), _TEXT_SIZE)
    _draw_ruler(page, (_PAGE_EDGE, 52.0), (100, 1.0), (10, 5), "mm")
    _draw_ruler(page, (_PAGE_EDGE, 80.0), (64, 25.4 / 16), (16, 8), words("printout.inch"))
    page.box((_PAGE_EDGE, 100, 50, 50), edge=INK, width=0.2)
    page.text("50 x 50 mm", (_PAGE_EDGE + 25, 126), _TEXT_SIZE, anchor="middle")
    card_width, card_height = card
    if _PAGE_EDGE + 60 + card_width + _PAGE_EDGE <= paper[0] and 100 + card_height + _PAGE_EDGE <= paper[1]:
        page.box((_PAGE_EDGE + 60, 100, card_width, card_height), edge=INK, width=0.2)
        card_size = " x ".join(words.plain(side) for side in card)
        page.text(
            words("printout.card", size=card_size),
            (_PAGE_EDGE + 60 + card_width / 2, 101 + card_height / 2),
            _TEXT_SIZE,
            anchor="middle",
        )
    return page.svg()


def _draw_ruler(
    page: PaperPage, at: tuple[float, float], scale: tuple[int, float], longer: tuple[int, int], unit: str
) -> None:
    """Draw a ruler from the left end of its line.

    Args:
        page: Where to draw.
        at: The left end.
        scale: How many steps, and millimetres in one.
        longer: Long ticks with a figure each so many steps, middling ones each so many.
        unit: Of the figures; `mm` counts by tens.
    """
    tick_count, tick_mm = scale
    left, base = at
    page.line((left, base), (left + tick_count * tick_mm, base), 0.2)
    for tick in range(tick_count + 1):
        x = left + tick * tick_mm
        tick_height = 8.0 if tick % longer[0] == 0 else 5.5 if tick % longer[1] == 0 else 3.5
        page.line((x, base), (x, base - tick_height), 0.2 if tick % longer[0] == 0 else 0.12)
        if tick % longer[0] == 0:
            figure = tick // longer[0] * (10 if unit == "mm" else 1)
            page.text(str(figure), (x, base - 9.2), _TEXT_SIZE, anchor="middle")
    page.text(unit, (left + tick_count * tick_mm + 5, base), _TEXT_SIZE, ink=QUIET)


# Marks around and on a tile: crop marks, crosses in the overlap, labels of the tile and its neighbours.

GAP: Final = 1.2
"""From the edge of the printed area to a crop mark, in millimetres."""
LENGTH: Final = 4.0
_CROSS_SIZE: Final = 1.5
_SMALL_TYPE: Final = 2.3
"""6.5 pt."""


def fold_mark(page: PaperPage, axis: Literal["x", "y"], at: float, bled: tuple[float, float, float, float]) -> None:
    """Draw the two marks of a fold, outside the printed area, as `crop_marks`."""
    left, top, right, bottom = bled
    if axis == "x":
        page.line((at, top - GAP), (at, top - GAP - LENGTH))
        page.line((at, bottom + GAP), (at, bottom + GAP + LENGTH))
    else:
        page.line((left - GAP, at), (left - GAP - LENGTH, at))
        page.line((right + GAP, at), (right + GAP + LENGTH, at))


def crop_marks(
    page: PaperPage, trim: tuple[float, float, float, float], bled: tuple[float, float, float, float]
) -> None:
    """Draw eight crop marks, in line with the trim and outside the printed area.

    Args:
        page: Where to draw.
        trim: Left, top, right, bottom of what remains after cutting, in millimetres of the page.
        bled: The same of what is printed.
    """
    for x in (trim[0], trim[2]):
        fold_mark(page, "x", x, bled)
    for y in (trim[1], trim[3]):
        fold_mark(page, "y", y, bled)


def tile_marks(plan: TilePlan, tile: Tile, *, bleed: float, title: str, words: Words) -> str:
    """Return the marks of a tile's page as SVG, to be drawn over the board."""
    page = PaperPage(*plan.paper)
    x, y = plan.corner(tile)
    right, bottom = x + tile.width, y + tile.height
    neighbour_labels = _neighbour_labels(plan, tile)
    trim_box = (
        x if neighbour_labels["left"] else x + bleed,
        y if neighbour_labels["above"] else y + bleed,
        right if neighbour_labels["right"] else right - bleed,
        bottom if neighbour_labels["below"] else bottom - bleed,
    )
    for cx, cy in overlap_crosses(plan, tile):
        _draw_cross(page, x + cx - tile.left, y + cy - tile.top)
    crop_marks(page, trim_box, (x, y, right, bottom))
    tile_middle = ((x + right) / 2, (y + bottom) / 2)
    label_baseline = bottom + GAP + 3.0
    page.text(tile.label, (trim_box[0] + 3, label_baseline), 4.2, bold=True)
    place_text = words(
        "printout.tile",
        board=title,
        row=tile.row + 1,
        rows=plan.rows,
        column=tile.column + 1,
        columns=plan.columns,
    )
    page.text(place_text, (trim_box[0] + 14, label_baseline), _SMALL_TYPE, ink=QUIET)
    page.text(words("printout.full_size"), (trim_box[2] - 3, label_baseline), _SMALL_TYPE, anchor="end", ink=QUIET)
    if neighbour_labels["above"]:
        above_text = words("printout.above", tile=neighbour_labels["above"])
        page.text(above_text, (tile_middle[0], y - GAP - 1), _SMALL_TYPE, anchor="middle", ink=QUIET)
    if neighbour_labels["below"]:
        below_text = words("printout.below", tile=neighbour_labels["below"])
        page.text(below_text, (tile_middle[0], label_baseline), _SMALL_TYPE, anchor="middle", ink=QUIET)
    if neighbour_labels["left"]:
        page.text(
            neighbour_labels["left"], (x - GAP - 1, tile_middle[1]), _SMALL_TYPE, anchor="middle", ink=QUIET, turn=-90
        )
    if neighbour_labels["right"]:
        page.text(
            neighbour_labels["right"],
            (right + GAP + 1, tile_middle[1]),
            _SMALL_TYPE,
            anchor="middle",
            ink=QUIET,
            turn=90,
        )
    return page.svg()


def overlap_crosses(plan: TilePlan, tile: Tile) -> list[tuple[float, float]]:
    """Return the crosses on a tile, in millimetres of the picture: two in the middle of each overlap, and its corners.

    Neighbours show the same crosses at the same places of the picture.
    """
    half_overlap = plan.overlap / 2
    if half_overlap == 0:
        return []
    xs = [
        *([tile.left + half_overlap] if tile.column else []),
        *([tile.left + tile.width - half_overlap] if tile.column < plan.columns - 1 else []),
    ]
    ys = [
        *([tile.top + half_overlap] if tile.row else []),
        *([tile.top + tile.height - half_overlap] if tile.row < plan.rows - 1 else []),
    ]
    points = [(x, y) for x in xs for y in ys]
    points += [(x, tile.top + tile.height * edge_share) for x in xs for edge_share in (0.25, 0.75)]
    points += [(tile.left + tile.width * edge_share, y) for y in ys for edge_share in (0.25, 0.75)]
    return points


def _draw_cross(page: PaperPage, x: float, y: float) -> None:
    for width, ink, size in ((3 * HAIR, "#ffffff", _CROSS_SIZE + HAIR), (HAIR, "#1b1b1b", _CROSS_SIZE)):
        page.line((x - size, y), (x + size, y), width, ink)
        page.line((x, y - size), (x, y + size), width, ink)


def _neighbour_labels(plan: TilePlan, tile: Tile) -> dict[str, str]:
    """Return the labels of the four neighbours, empty if there is none."""
    label_by_place = {(t.row, t.column): t.label for t in plan.tiles}
    offsets = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}
    return {
        side: label_by_place.get((tile.row + row_offset, tile.column + column_offset), "")
        for side, (row_offset, column_offset) in offsets.items()
    }


_SIZE_TOLERANCE: Final = 0.5
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
        return _make_booklet(board_svg, sheets, job, words, title, progress)
    page_layout = _lay_out_pages(board_svg, sheets, job, title, words, progress)
    progress("making the PDF")
    pdf_bytes = write_windows_pdf(page_layout.leaves, page_layout.board_svg, page_layout.sections, title=title)
    return Printout(pdf_bytes, page_layout.sections, page_layout.plan, page_layout.notes)


def lay_out_sheets(
    sheets: Sequence[Sheet], job: PrintJob, *, title: str, words: Words
) -> tuple[tuple[PdfPage, ...], tuple[PageRun, ...], tuple[str, ...]]:
    """Return the pages of a printout of sheets alone, with its sections and notes.

    Args:
        sheets: Pages and cards, in order.
        job: As for `print_and_play`, without a booklet.
        title: Of what is printed.
        words: The language of what stands around the pictures.

    Raises:
        PrintError: As for `print_and_play`.
    """
    job.check()
    page_layout = _lay_out_pages(None, sheets, job, title, words, lambda _stage: None)
    return tuple(leaf.page for leaf in page_layout.leaves), page_layout.sections, page_layout.notes


@dataclass(frozen=True)
class _PageLayout:
    """Laid-out pages before binding; the board's drawing has its bleed."""

    leaves: tuple[Leaf, ...]
    sections: tuple[PageRun, ...]
    plan: TilePlan | None
    notes: tuple[str, ...]
    board_svg: str | None


def _lay_out_pages(
    board_svg: str | None, sheets: Sequence[Sheet], job: PrintJob, title: str, words: Words, progress: Progress
) -> _PageLayout:
    named_parts: list[tuple[str, list[Leaf]]] = []
    notes: list[str] = []
    plan: TilePlan | None = None
    _, sheet_paper = job.for_sheets
    page_sheets = [sheet for sheet in sheets if sheet.kind == "page"]
    card_sheets = [sheet for sheet in sheets if sheet.kind == "card"]
    if job.is_single:
        if board_svg is not None or page_sheets:
            raise PrintError("--paper card has pages for cards alone: give --only cards")
        card_leaves = tuple(leaf for card in card_sheets for leaf in _single_card_leaves(card, job))
        if job.duplex:
            notes.append("the first page is the back of the first card, the second its front, and so on")
        _note_missing_letters([sheet.svg for sheet in sheets], notes)
        sections = _number_sections([(words("printout.cards"), card_leaves)])
        return _PageLayout(card_leaves, sections, None, tuple(notes), None)
    if board_svg is not None:
        progress("laying out the board")
        board_scale = job.factor(read_picture(board_svg, "the board").width)
        folds = plan_folds(board_svg, job.panels) if job.panels else ()
        board_svg = add_bleed(board_svg, job.bleed / board_scale, "the board")
        if job.is_poster:
            leaf = _poster_leaf(board_svg, board_scale, job.bleed, folds)
            named_parts.append((words("printout.board"), [leaf]))
            notes.append(_describe_poster(leaf.page, job.bleed))
        else:
            plan = _plan_board_tiles(board_svg, board_scale, job)
            named_parts.append(
                (words("printout.plan"), [_assembly_leaf(plan, board_svg, board_scale, job, title, words)])
            )
            tile_leaves = [_tile_leaf(plan, tile, board_scale, job, title, words) for tile in plan.tiles]
            named_parts.append((words("printout.board"), tile_leaves))
    if plan is not None or sheets:  # a poster alone is for a print shop, which gets that one page
        named_parts.insert(
            1 if named_parts else 0, (words("printout.ruler"), [_ruler_leaf(sheet_paper, words, card_sheets)])
        )
    if page_sheets:
        progress("laying out sheets")
        named_parts.append((words("printout.sheets"), _sheet_leaves(page_sheets, sheet_paper, job.margin, notes)))
    if card_sheets:
        progress("laying out cards")
        named_parts.append((words("printout.cards"), _card_leaves(card_sheets, sheet_paper, job, notes)))
        if job.duplex and sum(len(leaves) for _, leaves in named_parts[:-1]) % 2:
            named_parts.insert(-1, (words("printout.empty"), [Leaf(PdfPage(*sheet_paper, ()))]))
    sections = _number_sections(named_parts)
    _note_duplex(sections, card_sheets, job, notes)
    _note_missing_letters([*([board_svg] if board_svg else []), *(sheet.svg for sheet in sheets)], notes)
    leaves = tuple(leaf for _, leaves in named_parts for leaf in leaves)
    return _PageLayout(leaves, sections, plan, tuple(notes), board_svg)


def _make_booklet(
    board_svg: str | None, sheets: Sequence[Sheet], job: PrintJob, words: Words, title: str, progress: Progress
) -> Printout:
    progress("laying out the booklet")
    notes: list[str] = []
    page_sheets = [sheet for sheet in sheets if sheet.kind == "page"]
    board_picture = read_picture(board_svg, "the board") if board_svg is not None else None
    if not page_sheets and board_picture is None:
        raise PrintError("there is nothing for a booklet; name board or sheets after --only")
    board_size = (board_picture.width, board_picture.height) if board_picture else None
    booklet = make_booklet(page_sheets, board_size, paper_size(job.paper), margin=job.margin, title=title, words=words)
    sections = _number_sections([(words("printout.booklet"), list(booklet.leaves))])
    leaf_count = count_noun(len(booklet.leaves) // 2, "leaf", "leaves")
    notes.append(
        f"{booklet.pages} pages on {leaf_count}: print on both sides, turned over the short edge, "
        "lay the leaves on each other as they come, fold them in the middle and staple the fold"
    )
    if booklet.scale < 1:
        notes.append(f"sheets are printed at {booklet.scale * 100:.0f} % and above; larger paper makes them larger")
    if len(page_sheets) < len(sheets):
        notes.append("cards are not in the booklet; print them with --only cards")
    _note_missing_letters([*([board_svg] if board_svg else []), *(sheet.svg for sheet in page_sheets)], notes)
    progress("making the PDF")
    pdf_bytes = write_windows_pdf(booklet.leaves, board_svg, sections, title=title)
    return Printout(pdf_bytes, sections, None, tuple(notes))


def _number_sections(parts: Sequence[tuple[str, Sequence[Leaf]]]) -> tuple[PageRun, ...]:
    sections: list[PageRun] = []
    first_page = 1
    for name, leaves in parts:
        sections.append(PageRun(name, first_page, len(leaves)))
        first_page += len(leaves)
    return tuple(sections)


def _plan_board_tiles(board_svg: str, factor: float, job: PrintJob) -> TilePlan:
    board_picture = read_picture(board_svg, "the board")
    printed_size = (board_picture.width * factor, board_picture.height * factor)
    return plan_tiles(*printed_size, paper_size(job.paper), margin=job.margin, overlap=job.overlap)


def _tile_leaf(plan: TilePlan, tile: Tile, factor: float, job: PrintJob, title: str, words: Words) -> Leaf:
    x, y = plan.corner(tile)
    window = Window(x - tile.left, y - tile.top, factor, (x, y, x + tile.width, y + tile.height))
    marks = tile_marks(plan, tile, bleed=job.bleed, title=title, words=words)
    return Leaf(PdfPage(*plan.paper, (PlacedPicture(marks, 0, 0, *plan.paper),)), window)


def _assembly_leaf(plan: TilePlan, board_svg: str, factor: float, job: PrintJob, title: str, words: Words) -> Leaf:
    paper = plan.paper
    tile_count = len(plan.tiles)
    trimmed_size = (plan.width - 2 * job.bleed, plan.height - 2 * job.bleed)
    size_text = words("printout.size", size=f"{trimmed_size[0]:.0f} x {trimmed_size[1]:.0f}")
    if factor != 1:
        percent_text = words.table.numbers.percent.format(number=words.plain(float(f"{factor * 100:.3g}")))
        size_text = words("printout.scaled", size=size_text, percent=percent_text)
    tiles_text = words.count(
        "printout.tiles", tile_count, paper=job.paper.lower().capitalize(), across=plan.columns, down=plan.rows
    )
    if tile_count > 1:
        tiles_text = words("printout.overlap", tiles=tiles_text, overlap=words.plain(plan.overlap))
    lines = [size_text, tiles_text]
    if job.bleed:
        lines.append(words("printout.bleed", bleed=words.plain(job.bleed)))
    steps = assembly_steps(plan, paper, job.bleed, words)
    left, top, scale = plan_area(plan, paper, len(steps))
    board_picture = read_picture(board_svg, "the board")
    right, bottom = left + board_picture.width * factor * scale, top + board_picture.height * factor * scale
    window = Window(left, top, factor * scale, (left, top, right, bottom))
    plan_svg = assembly_page(plan, paper, title=title, lines=lines, steps=steps)
    return Leaf(PdfPage(*paper, (PlacedPicture(plan_svg, 0, 0, *paper),)), window)


def _poster_leaf(board_svg: str, factor: float, bleed: float, folds: Sequence[Fold]) -> Leaf:
    """Return the board on one page of its own size, enlarged by bleed and crop marks if there is bleed."""
    board_picture = read_picture(board_svg, "the board")
    width, height = board_picture.width * factor, board_picture.height * factor
    mark_room = MARKS if bleed else 0.0
    page_size = (width + 2 * mark_room, height + 2 * mark_room)
    bleed_box = (mark_room, mark_room, mark_room + width, mark_room + height)
    trim_box = (mark_room + bleed, mark_room + bleed, mark_room + width - bleed, mark_room + height - bleed)
    mark_pictures: tuple[PlacedPicture, ...] = ()
    if bleed:
        page = PaperPage(*page_size)
        crop_marks(page, trim_box, bleed_box)
        for fold in folds:
            fold_mark(page, fold.axis, trim_box[0 if fold.axis == "x" else 1] + fold.at * factor, bleed_box)
        mark_pictures = (PlacedPicture(page.svg(), 0, 0, *page_size),)
    return Leaf(
        PdfPage(*page_size, mark_pictures), Window(mark_room, mark_room, factor, bleed_box), trim_box, bleed_box
    )


def _describe_poster(page: PdfPage, bleed: float) -> str:
    size_text = f"{page.width:.0f} x {page.height:.0f} mm"
    if not bleed:
        return f"the poster is one page of {size_text}"
    cut_width = 2 * (MARKS + bleed)
    return (
        f"the poster is {page.width - cut_width:.0f} x {page.height - cut_width:.0f} mm when it is cut; "
        f"its page is {size_text}, with {bleed:g} mm of bleed, and crop marks"
    )


def _ruler_leaf(paper: tuple[float, float], words: Words, cards: Sequence[Sheet]) -> Leaf:
    """Return the ruler page, with the outline of the printed cards."""
    card_size = (cards[0].width_mm, cards[0].height_mm) if cards else CARD
    return Leaf(PdfPage(*paper, (PlacedPicture(ruler_page(paper, words, card_size), 0, 0, *paper),)))


def _sheet_leaves(pages: Sequence[Sheet], paper: tuple[float, float], margin: float, notes: list[str]) -> list[Leaf]:
    """Return the leaves of page sheets.

    They keep their own size if they fit the paper, several side by side if there is room; otherwise they are scaled
    down to fit the margins.
    """
    leaves: list[Leaf] = []
    for size, group in groupby(pages, key=lambda sheet: (sheet.width_mm, sheet.height_mm)):
        sized_sheets = list(group)
        if all(
            side <= paper_side + _SIZE_TOLERANCE for side, paper_side in zip(sorted(size), sorted(paper), strict=True)
        ):
            leaves += _place_unscaled(sized_sheets, size, paper)
        else:
            leaves += _place_scaled(sized_sheets, size, paper, margin, notes)
    return leaves


def _place_unscaled(some: Sequence[Sheet], size: tuple[float, float], paper: tuple[float, float]) -> list[Leaf]:
    tolerated_size = (size[0] - _SIZE_TOLERANCE, size[1] - _SIZE_TOLERANCE)
    grid = fit_grid(tolerated_size, paper, margin=0, bleed=0)
    sheet_leaves = []
    for first_sheet in range(0, len(some), grid.per_page):
        sheet_corners = [grid.corner(place) for place in range(len(some[first_sheet : first_sheet + grid.per_page]))]
        placed_sheets = [
            PlacedPicture(sheet.svg, x - _SIZE_TOLERANCE / 2, y - _SIZE_TOLERANCE / 2, *size)
            for sheet, (x, y) in zip(some[first_sheet : first_sheet + grid.per_page], sheet_corners, strict=True)
        ]
        if grid.per_page > 1:
            placed_sheets.append(PlacedPicture(cutting_lines(grid, sheet_corners, 0), 0, 0, *grid.paper))
        sheet_leaves.append(Leaf(PdfPage(*grid.paper, tuple(placed_sheets))))
    return sheet_leaves


def _place_scaled(
    some: Sequence[Sheet], size: tuple[float, float], paper: tuple[float, float], margin: float, notes: list[str]
) -> list[Leaf]:
    scaled_papers = [
        (min((sheet[0] - 2 * margin) / size[0], (sheet[1] - 2 * margin) / size[1]), sheet)
        for sheet in (paper, (paper[1], paper[0]))
    ]
    best_scale, sheet = max(scaled_papers)
    sheet_width, sheet_height = size[0] * best_scale, size[1] * best_scale
    x, y = (sheet[0] - sheet_width) / 2, (sheet[1] - sheet_height) / 2
    sheet_ids = ", ".join(fitted_sheet.id for fitted_sheet in some)
    notes.append(f"printed at {best_scale * 100:.0f} % to fit the paper ({size[0]:g} x {size[1]:g} mm): {sheet_ids}")
    return [
        Leaf(PdfPage(*sheet, (PlacedPicture(fitted_sheet.svg, x, y, sheet_width, sheet_height),)))
        for fitted_sheet in some
    ]


def _single_card_leaves(card: Sheet, job: PrintJob) -> list[Leaf]:
    """Return the page of a card's back, if backs are printed, and that of its front, each with its bleed."""
    width, height, bleed = card.width_mm + 2 * job.bleed, card.height_mm + 2 * job.bleed, job.bleed
    return [
        Leaf(
            PdfPage(width, height, (PlacedPicture(add_bleed(svg, bleed), 0, 0, width, height),) if svg else ()),
            trim=(bleed, bleed, width - bleed, height - bleed),
            bled=(0, 0, width, height),
        )
        for svg in ((card.back, card.svg) if job.duplex else (card.svg,))
    ]


def _card_leaves(cards: Sequence[Sheet], paper: tuple[float, float], job: PrintJob, notes: list[str]) -> list[Leaf]:
    imposed_pages = card_pages(cards, paper, margin=job.margin, bleed=job.bleed, backs=job.duplex)
    if not job.duplex and any(card.back for card in cards):
        notes.append("the backs of cards are left out; --duplex prints them")
    return [Leaf(page) for page in imposed_pages]


def _note_duplex(sections: Sequence[PageRun], cards: Sequence[Sheet], job: PrintJob, notes: list[str]) -> None:
    if not (job.duplex and cards):
        return
    last_section = sections[-1]
    notes.append(
        f"print pages {last_section.first} to {last_section.first + last_section.pages - 1} on both sides of the "
        "paper, turned over the long edge of upright pages and the short edge of pages across; print all others on "
        "one side"
    )


def _note_missing_letters(svgs: Sequence[str], notes: list[str]) -> None:
    missing = sorted({letter for svg in svgs for letter in missing_letters(svg)})
    if missing:
        notes.append(
            f"the fonts lack these letters, so they are printed as empty boxes or not at all: {' '.join(missing)}"
        )
