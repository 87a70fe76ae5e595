"""Texts in XML: escaped, and refused where XML cannot hold them."""

import re
from xml.sax.saxutils import escape

from mapkit.core.errors import ExportError

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(value: object) -> str:
    """Return a value as the text of an element or attribute in double quotes.

    Raises:
        ExportError: It holds a character that XML 1.0 forbids.
    """
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    bad = _FORBIDDEN.search(text)
    if bad:
        raise ExportError(
            f"{text[:80]!r} holds the character {bad[0]!r}, which XML cannot; correct the name, or choose a format "
            "that is not an XML"
        )
    return escape(text, {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
