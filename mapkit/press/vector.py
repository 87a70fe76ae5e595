"""SVG to PDF by typst: vector graphics, selectable text, only the shipped fonts, embedded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import typst

from mapkit.core.errors import PrintError
from mapkit.drawing.shipped_fonts import use_shipped_fonts
from mapkit.drawing.svg_file import SVG, read_picture
from mapkit.drawing.text_width import SANS, Family, family_folder
from mapkit.press.outline import outline_texts

_TYPST_FAMILY: Final = "Fira Sans"
"""Typst takes `Condensed` for a stretch, not for a part of the name."""


@dataclass(frozen=True)
class PlacedPicture:
    """A picture on a page.

    Attributes:
        svg: The text of an SVG file.
        x: Its left edge on the page, in millimetres.
        y: Its top edge.
        width: What it is scaled to, in millimetres.
        height: What it is scaled to.
        turned: By a quarter to the left, so that its upper edge is at the left; width and height are those after that.
    """

    svg: str
    x: float
    y: float
    width: float
    height: float
    turned: bool = False


@dataclass(frozen=True)
class PdfPage:
    """A page in millimetres and the pictures on it, the lower first."""

    width: float
    height: float
    pictures: tuple[PlacedPicture, ...]


def svg_to_pdf(svg: str, name: str = "the picture") -> bytes:
    """Return a picture as a PDF of one page of exactly its size; the same text gives the same bytes.

    Raises:
        PrintError: As for `read_picture`; or typst cannot draw it.
    """
    picture = read_picture(svg, name)
    page = PdfPage(picture.width, picture.height, (PlacedPicture(svg, 0, 0, picture.width, picture.height),))
    title_element = read_picture(svg, name).root.find(f"{SVG}title")
    return pages_to_pdf(
        [page], title=(title_element.text or "" if title_element is not None else "").strip(), name=name
    )


def pages_to_pdf(pages: Sequence[PdfPage], *, title: str, name: str = "the picture") -> bytes:
    """Return pages as a PDF; fonts shared by several pages are embedded once.

    Raises:
        PrintError: As for `svg_to_pdf`.
    """
    typst_inputs: dict[str, str] = {"title": title}
    key_by_svg: dict[str, str] = {}
    families: set[Family] = {SANS}
    for picture in (picture for page in pages for picture in page.pictures):
        if picture.svg not in key_by_svg:
            key_by_svg[picture.svg] = f"p{len(key_by_svg)}"
            typst_inputs[key_by_svg[picture.svg]], used_families = adapt_for_typst(picture.svg, name)
            families |= used_families
    typst_source = "\n".join(
        (
            "#set document(title: sys.inputs.title, date: none)",
            "#set page(margin: 0mm, fill: none)",
            *(f'#let {picture_key} = bytes(sys.inputs.at("{picture_key}"))' for picture_key in key_by_svg.values()),
            *(_page_markup(page, key_by_svg) for page in pages),
        )
    )
    try:
        pdf_bytes = typst.Compiler(
            typst_source.encode("utf-8"),
            root=family_folder(SANS),
            font_paths=_load_fonts(frozenset(families)),
            ignore_system_fonts=True,
            sys_inputs=typst_inputs,
        ).compile(format="pdf", timestamp=0)
    except RuntimeError as error:
        raise PrintError(f"{name}: cannot be made a PDF: {error}") from error
    return pdf_bytes if isinstance(pdf_bytes, bytes) else b""


def adapt_for_typst(svg: str, name: str = "the picture") -> tuple[str, set[Family]]:
    """Return a picture adapted to typst, with its families: fonts by typst's names, halos as outlines.

    Halos repeat the words above them; as outlines they are not selected, found and read twice.
    """
    picture = read_picture(svg, name)
    outline_texts(picture, hidden_only=True, name=name)
    families = use_shipped_fonts(picture.root, _TYPST_FAMILY, stretch="condensed")
    return picture.text(), families


def _page_markup(page: PdfPage, keys: dict[str, str]) -> str:
    return (
        f"#page(width: {_format_mm(page.width)}, height: {_format_mm(page.height)})["
        + "".join(_picture_markup(page.pictures, keys))
        + "]"
    )


def _picture_markup(pictures: Iterable[PlacedPicture], keys: dict[str, str]) -> Iterable[str]:
    for picture in pictures:
        picture_width, picture_height = map(_format_mm, (picture.width, picture.height))
        if picture.turned:
            picture_width, picture_height = picture_height, picture_width
        size_markup = f"width: {picture_width}, height: {picture_height}"
        image_markup = f'image({keys[picture.svg]}, format: "svg", {size_markup}, fit: "stretch")'
        if picture.turned:
            image_markup = f"rotate(-90deg, reflow: true, {image_markup})"
        yield f"#place(top + left, dx: {_format_mm(picture.x)}, dy: {_format_mm(picture.y)}, {image_markup})"


def _format_mm(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".") + "mm"


@cache
def _load_fonts(families: frozenset[Family]) -> typst.Fonts:
    """Return the fonts of some families, without those of the system and of typst."""
    folders = [str(family_folder(family)) for family in sorted(families)]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)
