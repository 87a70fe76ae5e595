"""Preflight report of a print order: sizes, resolution, smallest text, texts near the cut, fonts that are missing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.core import heavy
from mapkit.core.plurals import count_noun
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_file import SVG, face_of, family_of, read_picture
from mapkit.drawing.text_extent import CAP_HEIGHT, text_extent
from mapkit.drawing.text_width import SANS, Family, text_width
from mapkit.formats.svg.units import Affine, parse_transform
from mapkit.press.form_objects import PT
from mapkit.press.job import PrintJob, Printout
from mapkit.press.profiles import PrintProfile
from mapkit.press.raster import MM_PER_INCH

_TEXT_TAGS: Final = (f"{SVG}text", f"{SVG}tspan")
_ANCHOR_SHARES: Final = {"middle": 0.5, "end": 1.0}
"""Share of a text's width left of its position."""


@dataclass(frozen=True)
class _PlacedText:
    """A text of a picture: its size in points, and its distance from the nearest edge in millimetres."""

    text: str
    points: float
    edge_mm: float


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
    texts = {sheet.id: [*_texts_of(sheet.svg), *_texts_of(sheet.back or "")] for sheet in sheets}
    if any(texts.values()):
        smallest, sheet_id = min((text.points, sheet_id) for sheet_id, some in texts.items() for text in some)
        lines.append(f"smallest text: {smallest:.1f} pt before scaling, on {sheet_id}")
    if profile.safe:
        near = sorted({card.id for card in cards for text in texts[card.id] if text.edge_mm < profile.safe})
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


def _texts_of(svg: str) -> Iterator[_PlacedText]:
    """Yield the texts of a picture; none of an empty one."""
    if not svg:
        return
    picture = read_picture(svg)
    open_elements: list[tuple[ET.Element, Affine, float, Family]] = [(picture.root, Affine(), 0.0, SANS)]
    while open_elements:
        element, placed, size, family = open_elements.pop()
        family = family_of(element, family)
        placed = placed.then(parse_transform(element.get("transform", "")))
        size = float(element.get("font-size", size))
        if element.tag in _TEXT_TAGS and element.text and element.text.strip():
            corners = [placed.apply(x, y) for x, y in _text_corners(element, size, family)]
            edge_mm = min(min(x, y, picture.width - x, picture.height - y) for x, y in corners)
            yield _PlacedText(element.text, size * abs(placed.a * placed.d - placed.b * placed.c) ** 0.5 * PT, edge_mm)
        open_elements.extend((child, placed, size, family) for child in element)


def _text_corners(element: ET.Element, size: float, family: Family) -> list[tuple[float, float]]:
    """Return two opposite corners of a text in its own system; ascents are those of its letters."""
    text, face = element.text or "", face_of(element, "regular")
    width = text_width(text, size, bold=face == "bold", italic=face == "italic", family=family)
    x = float(element.get("x", 0)) - width * _ANCHOR_SHARES.get(element.get("text-anchor", ""), 0.0)
    y = float(element.get("y", 0))
    above, below = text_extent(text, size, family)
    return [(x, y - max(above, CAP_HEIGHT * size)), (x + width, y + below)]
