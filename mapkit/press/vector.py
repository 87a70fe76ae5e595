"""SVG to PDF by typst: vector, text that can be selected, the shipped fonts embedded, no others looked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import typst

from mapkit.core.errors import PrintError
from mapkit.press.outline import outline_texts
from mapkit.press.shipped_fonts import font_folder, font_path, use_shipped_fonts
from mapkit.press.svg_file import SVG, read_picture

_FAMILY: Final = "Fira Sans"
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
    return pages_to_pdf([page], title=_title(svg, name), name=name)


def pages_to_pdf(pages: Sequence[PdfPage], *, title: str, name: str = "the picture") -> bytes:
    """Return pages as a PDF; fonts that several pages use are embedded once.

    Raises:
        PrintError: As for `svg_to_pdf`.
    """
    inputs: dict[str, str] = {"title": title}
    keys: dict[str, str] = {}
    for picture in (picture for page in pages for picture in page.pictures):
        if picture.svg not in keys:
            keys[picture.svg] = f"p{len(keys)}"
            inputs[keys[picture.svg]] = for_typst(picture.svg, name)
    source = "\n".join(
        (
            "#set document(title: sys.inputs.title, date: none)",
            "#set page(margin: 0mm, fill: none)",
            *(f'#let {key} = bytes(sys.inputs.at("{key}"))' for key in keys.values()),
            *(_page(page, keys) for page in pages),
        )
    )
    try:
        made = typst.Compiler(
            source.encode("utf-8"),
            root=font_folder(),
            font_paths=_fonts(),
            ignore_system_fonts=True,
            sys_inputs=inputs,
        ).compile(format="pdf", timestamp=0)
    except RuntimeError as error:
        raise PrintError(f"{name}: cannot be made a PDF: {error}") from error
    return made if isinstance(made, bytes) else b""


def for_typst(svg: str, name: str = "the picture") -> str:
    """Return a picture as typst needs it: its fonts by typst's name, halos as outlines.

    Halos repeat the words above them; as outlines they are not selected, found and read twice.
    """
    picture = read_picture(svg, name)
    outline_texts(picture, hidden_only=True, name=name)
    use_shipped_fonts(picture.root, _FAMILY, stretch="condensed")
    return picture.text()


def _page(page: PdfPage, keys: dict[str, str]) -> str:
    return f"#page(width: {_mm(page.width)}, height: {_mm(page.height)})[" + "".join(_placed(page.pictures, keys)) + "]"


def _placed(pictures: Iterable[PlacedPicture], keys: dict[str, str]) -> Iterable[str]:
    for picture in pictures:
        wide, high = picture.width, picture.height
        size = f"width: {_mm(high if picture.turned else wide)}, height: {_mm(wide if picture.turned else high)}"
        image = f'image({keys[picture.svg]}, format: "svg", {size}, fit: "stretch")'
        if picture.turned:
            image = f"rotate(-90deg, reflow: true, {image})"
        yield f"#place(top + left, dx: {_mm(picture.x)}, dy: {_mm(picture.y)}, {image})"


def _mm(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".") + "mm"


def _title(svg: str, name: str) -> str:
    title = read_picture(svg, name).root.find(f"{SVG}title")
    return (title.text or "" if title is not None else "").strip()


@cache
def _fonts() -> typst.Fonts:
    """Return the shipped fonts; neither the system's nor typst's own are looked at."""
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(font_path("regular").parent)]
    )
