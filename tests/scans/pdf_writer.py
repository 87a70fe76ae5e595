"""A small writer of PDFs for tests: text at any place, size and angle, in fonts that every viewer has."""

import math
import zlib
from dataclasses import dataclass, field

import typst

_HELVETICA = {
    " ": 278, ".": 278, ",": 278, "-": 333, "/": 278, ":": 278, "$": 556, "(": 333, ")": 333, "&": 667, "'": 191,
    "A": 667, "B": 667, "C": 722, "D": 722, "E": 667, "F": 611, "G": 778, "H": 722, "I": 278, "J": 500, "K": 667,
    "L": 556, "M": 833, "N": 722, "O": 778, "P": 667, "Q": 778, "R": 722, "S": 667, "T": 611, "U": 722, "V": 667,
    "W": 944, "X": 667, "Y": 667, "Z": 611, "a": 556, "b": 556, "c": 500, "d": 556, "e": 556, "f": 278, "g": 556,
    "h": 556, "i": 222, "j": 222, "k": 500, "l": 222, "m": 833, "n": 556, "o": 556, "p": 556, "q": 556, "r": 333,
    "s": 500, "t": 278, "u": 556, "v": 500, "w": 722, "x": 500, "y": 500, "z": 500,
}  # fmt: skip
FONTS = ("Helvetica", "Times-Roman", "Courier")
_TIMES = 0.9
"""Times is this much narrower than Helvetica; near enough to lay out by, and every figure is 500 wide."""


def width(text: str, size: float, font: str = "Helvetica") -> float:
    """Return the width of a text in points."""
    if font == "Courier":
        return 0.6 * size * len(text)
    units = sum(_HELVETICA.get(letter, 556) for letter in text)
    return units * size / 1000 * (_TIMES if font == "Times-Roman" else 1)


@dataclass
class PdfPage:
    """A page; y is measured from its top."""

    wide: float = 842
    high: float = 595
    rotate: int = 0
    font: str = "Helvetica"
    parts: list[str] = field(default_factory=list)
    mode: str = ""
    letters: bool = False
    """Whether each letter is placed by itself."""

    def text(self, x: float, y: float, text: str, size: float, *, anchor: str = "start", angle: float = 0) -> None:
        """Write a text whose base line begins, ends or has its middle at a place."""
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width(text, size, self.font)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        at = x - back * cos, self.high - y - back * sin
        pieces = [(0.0, text)]
        if self.letters:
            pieces = [(width(text[:k], size, self.font), letter) for k, letter in enumerate(text)]
        for along, piece in pieces:
            coded = (
                piece.encode("cp1252").decode("latin-1").replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            )
            matrix = (cos, sin, -sin, cos, at[0] + along * cos, at[1] + along * sin)
            place = " ".join(f"{number:.4f}" for number in matrix)
            self.parts.append(f"BT {self.mode}/F {size:g} Tf {place} Tm ({coded}) Tj ET")

    def box(self, x: float, y: float, wide: float, high: float, grey: float) -> None:
        """Fill a box."""
        self.parts.append(f"{grey:g} g {x:.2f} {self.high - y - high:.2f} {wide:.2f} {high:.2f} re f 0 g")


def pdf(pages: list[PdfPage], *, extra: str = "") -> bytes:
    """Return a PDF of pages.

    Args:
        pages: The pages.
        extra: What else the catalogue holds.
    """
    objects: list[bytes] = []
    kids = " ".join(f"{3 + 3 * k} 0 R" for k in range(len(pages)))
    objects.append(f"<< /Type /Catalog /Pages 2 0 R {extra} >>".encode())
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    for k, page in enumerate(pages):
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{page.font} /Encoding /WinAnsiEncoding >>"
        body = zlib.compress("\n".join(page.parts).encode("latin-1"))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.wide:g} {page.high:g}] /Rotate {page.rotate} "
            f"/Contents {4 + 3 * k} 0 R /Resources << /Font << /F {5 + 3 * k} 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(body), body))
        objects.append(font.encode())
    return assembled(objects)


def assembled(objects: list[bytes]) -> bytes:
    """Return a PDF of numbered objects; the first is its catalogue."""
    parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
    offsets = [len(parts[0])]
    for number, content in enumerate(objects, start=1):
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        offsets.append(offsets[-1] + len(parts[-1]))
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts += [b"%010d 00000 n \n" % offset for offset in offsets[:-1]]
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, offsets[-1]))
    return b"".join(parts)


def typeset(source: str) -> bytes:
    """Return what typst makes of a text, in the fonts that it brings along."""
    out = typst.compile(source.encode(), format="pdf", ignore_system_fonts=True)
    assert isinstance(out, bytes)
    return out
