"""Texts in XML: escaped, and refused if XML cannot hold them."""

import re
from typing import Final
from xml.sax.saxutils import escape

from mapkit.core.characters import describe_character
from mapkit.core.errors import ExportError

_FORBIDDEN_CHARACTER = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTEXT_LENGTH: Final = 20


def xml_text(value: object) -> str:
    """Return a value as the text of an element or of an attribute in double quotes.

    Raises:
        ExportError: It holds a character that XML 1.0 forbids.
    """
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return escape(refuse_non_xml(text), {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})


def refuse_non_xml(text: str) -> str:
    """Return a text, such as a whole file, after checking that XML 1.0 allows its characters.

    Raises:
        ExportError: It holds another.
    """
    forbidden = _FORBIDDEN_CHARACTER.search(text)
    if forbidden:
        shown_text = text[max(0, forbidden.start() - _CONTEXT_LENGTH) : forbidden.end() + _CONTEXT_LENGTH]
        raise ExportError(
            f"{shown_text!r} holds {describe_character(forbidden[0])}, which XML cannot hold; correct the name, or "
            "choose a format that is not an XML"
        )
    return text
