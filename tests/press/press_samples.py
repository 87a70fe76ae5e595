"""Pictures and sheets made by hand."""

from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.theme import FONT


def drawing(width: float, height: float, words: str = "", ground: str = "#ffffff", more: str = "") -> str:
    """Return a picture with a ground, a line of upright, bold and italic words each, and more."""
    texts = "".join(
        f'<text x="4" y="{12 + 8 * row}" font-size="5" {look}>{words}</text>'
        for row, look in enumerate(("", 'font-weight="bold"', 'font-style="italic"'))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">'
        f'<rect width="{width:g}" height="{height:g}" fill="{ground}"/>{more}{texts if words else ""}</svg>'
    )


def page(ident: str, width: float = 210, height: float = 297) -> Sheet:
    """Return a page."""
    return Sheet(ident, ident, drawing(width, height, f"page {ident}"), width, height, "page", None)


def cards(count: int, *, backs: bool = True) -> list[Sheet]:
    """Return cards called `card-0` ..., with `Front 0`, `Back 0` ... on them."""
    return [
        Sheet(
            f"card-{number}",
            f"Card {number}",
            drawing(63, 88, f"Front {number}", "#ddeeff"),
            63,
            88,
            "card",
            drawing(63, 88, f"Back {number}", "#ccbbaa") if backs else None,
        )
        for number in range(count)
    ]
