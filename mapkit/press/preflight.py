"""Preflight report of a print order: sizes, resolution, smallest text, texts near the cut, fonts that are missing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO

from mapkit.core import heavy
from mapkit.core.plurals import count_noun
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_file import read_picture
from mapkit.press.folds import describe_fold, plan_folds
from mapkit.press.form_objects import PT
from mapkit.press.job import PrintJob, Printout
from mapkit.press.placed_texts import PlacedText, list_placed_texts
from mapkit.press.profiles import PrintProfile
from mapkit.press.raster import MM_PER_INCH


def preflight(
    profile: PrintProfile,
    job: PrintJob,
    printout: Printout,
    board_svg: str | None,
    sheets: Sequence[Sheet],
    dpi: float | None,
) -> str:
    """Return the report of a print order as text, a line each.

    Args:
        profile: The order's profile.
        job: The job with its settings.
        printout: The pages.
        board_svg: The board's drawing, if it was printed.
        sheets: Pages and cards that were printed.
        dpi: Resolution of single pictures; None without.
    """
    lines = [f"profile: {job.profile}, {profile.about}"]
    if profile.source:
        lines.append(f"figures: {profile.source}")
    lines += _describe_pages(printout.pdf)
    cards = [sheet for sheet in sheets if sheet.kind == "card"]
    for (width, height), count in Counter((card.width_mm, card.height_mm) for card in cards).items():
        bled = (width + 2 * job.bleed, height + 2 * job.bleed)
        pixels = "" if dpi is None else ", {} x {} pixels".format(*(round(side / MM_PER_INCH * dpi) for side in bled))
        lines.append(
            f"cards: {count} of {width:g} x {height:g} mm, {bled[0]:g} x {bled[1]:g} mm with {job.bleed:g} mm of bleed"
            f"{pixels}"
        )
    if board_svg is not None:
        scale = job.factor(read_picture(board_svg).width)
        points = min((text.points for text in _texts_of(board_svg)), default=0.0)
        lines.append(f"smallest text of the board: {points * scale:.1f} pt at {scale * 100:.0f} %")
        if job.panels:
            lines += [describe_fold(fold, scale) for fold in plan_folds(board_svg, job.panels)]
    texts = [(sheet, text) for sheet in sheets for text in (*_texts_of(sheet.svg), *_texts_of(sheet.back or ""))]
    if texts:
        smallest, sheet_id = min((text.points, sheet.id) for sheet, text in texts)
        lines.append(f"smallest text: {smallest:.1f} pt before scaling, on {sheet_id}")
    if profile.safe:
        near = sorted({sheet.id for sheet, text in texts if sheet in cards and _edge_mm(text, sheet) < profile.safe})
        lines.append(f"texts nearer than {profile.safe:g} mm to the cut: {', '.join(near) or 'none'}")
    lines += [f"note: {note}" for note in printout.notes]
    return "\n".join(lines) + "\n"


def _describe_pages(pdf_bytes: bytes) -> Iterator[str]:
    """Yield the sizes of the pages and of what is left after cutting, and the fonts."""
    with heavy.pikepdf.Pdf.open(BytesIO(pdf_bytes)) as pdf:
        sizes = Counter((_size_of(page.mediabox), _size_of(page.trimbox)) for page in pdf.pages)
        fonts = [thing for thing in pdf.objects if _is_font_descriptor(thing)]
        missing = sum(not any(f"/FontFile{number}" in font for number in ("", "2", "3")) for font in fonts)
    for (media, trim), count in sizes.items():
        cut = "" if media == trim else f", {trim} when cut"
        yield f"pages: {count_noun(count, 'page')} of {media}{cut}"
    yield f"fonts: {len(fonts) - missing} embedded, {missing} missing"


def _size_of(box: "heavy.pikepdf.Array") -> str:
    left, bottom, right, top = (float(side) / PT for side in box)
    return f"{right - left:.1f} x {top - bottom:.1f} mm"


def _is_font_descriptor(thing: object) -> bool:
    return isinstance(thing, heavy.pikepdf.Dictionary) and thing.get("/Type") == "/FontDescriptor"


def _texts_of(svg: str) -> list[PlacedText]:
    """Return the texts of a picture; none of an empty one."""
    return [*list_placed_texts(read_picture(svg))] if svg else []


def _edge_mm(text: PlacedText, sheet: Sheet) -> float:
    """Return the distance of a text from the nearest edge of its card."""
    left, top, right, bottom = text.box
    return min(left, top, sheet.width_mm - right, sheet.height_mm - bottom)
