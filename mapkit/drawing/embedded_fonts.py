"""SVG files with embedded fonts: the Latin part of each used face, as WOFF2."""

import base64
import re
from functools import cache
from typing import Final

from mapkit.core.errors import PrintError
from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.svg_file import all_words, missing_letters_in_tree, read_picture
from mapkit.drawing.text_width import FACES, FAMILIES, SANS, Face, Family, missing_characters

_ROOT_TAG: Final = re.compile(r"<svg\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*(?<!/)>")
_WEIGHT_AND_STYLE: Final = {"regular": ("normal", "normal"), "bold": ("bold", "normal"), "italic": ("normal", "italic")}

_LATIN_LETTERS: Final = frozenset(
    map(
        chr,
        (
            *range(0x20, 0x7F),
            *range(0xA0, 0x180),
            *range(0x218, 0x21C),
            *range(0x2010, 0x2016),
            *range(0x2018, 0x201F),
            *(0x2020, 0x2022, 0x2026, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2122),
            *range(0x2190, 0x2194),
            *(0x2212, 0x2215, 0x2260, 0x2264, 0x2265),
        ),
    )
)
"""The letters that `tools/fonts/latin.py` keeps; a test compares them with the files."""


def embed_fonts(svg: str, name: str = "the picture") -> str:
    """Return a picture with a style sheet that embeds the faces of its texts; the rest is unchanged.

    Browsers then show it in the same way everywhere; Inkscape, resvg and typst use installed or given fonts and ignore
    the style sheet. Letters beyond Latin are not embedded: `not_embedded` lists them.

    Raises:
        PrintError: As for `read_picture`.
    """
    used_faces: set[tuple[Family, Face]] = set()
    for words in all_words(read_picture(svg, name).root):
        if words.text.strip():
            used_faces.add((words.family, words.face))
            if missing_characters(words.text, face=words.face, family=words.family):
                used_faces.add((SANS, words.face))
    if not used_faces:
        return svg
    root_tag = _ROOT_TAG.search(svg)
    if root_tag is None:
        raise PrintError(f"{name}: its outermost element is not called 'svg'; save it as plain SVG")
    font_rules_text = "".join(
        _font_face_rule(face, family) for family in FAMILIES for face in FACES if (family, face) in used_faces
    )
    return f'{svg[: root_tag.end()]}<style type="text/css">{font_rules_text}</style>{svg[root_tag.end() :]}'


def font_rules(family: Family = SANS) -> str:
    """Return the style sheet of all faces of a family and of the usual one.

    It is for a page with a policy that allows fonts from `data:`.
    """
    return "".join(_font_face_rule(face, name) for name in dict.fromkeys((SANS, family)) for face in FACES)


def missing_in_embedded(svg: str, name: str = "the picture") -> str:
    """Return the letters of a picture's texts that the embedded fonts lack, each once, sorted."""
    root = read_picture(svg, name).root
    used_letters = {char for words in all_words(root) for char in words.text if not char.isspace()}
    return "".join(sorted((used_letters - _LATIN_LETTERS) | set(missing_letters_in_tree(root))))


@cache
def _font_face_rule(face: Face, family: Family) -> str:
    weight, style = _WEIGHT_AND_STYLE[face]
    path = font_path(face, family)
    font_bytes = path.with_name(f"{path.stem}-latin.woff2").read_bytes()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};"
        f"src:url(data:font/woff2;base64,{base64.b64encode(font_bytes).decode('ascii')}) format('woff2')}}"
    )
