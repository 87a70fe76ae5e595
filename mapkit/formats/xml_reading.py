"""XML of foreign files, checked before a library that follows external references sees it."""

import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import ParseError
from xml.sax.xmlreader import AttributesImpl

from mapkit.core import heavy
from mapkit.core.errors import SourceError
from mapkit.formats.files import read_bytes
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.kml import LimitedHandler, scan_xml

MAX_ELEMENTS: Final = 2_000_000

_READER_ERRORS: Final = (ParseError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError)
"""Errors of networkx on unexpected content; it has no error class of its own for that."""


def read_checked_xml(path: Path) -> bytes:
    """Return the bytes of an XML file without entities, excessive depth or too many elements.

    Raises:
        SourceError: It has, or is larger than 64 MiB.
        WorkspaceError: It is missing or not readable.
    """
    file = path.name
    data = read_bytes(path, name=file, cure="this is not a board")
    scan_xml(data, _ElementLimiter(), file=file)
    return data


def read_graph(
    path: Path,
    reader: "Callable[..., heavy.networkx.Graph[str]]",
    kind: str,
    **options: Any,  # noqa: ANN401 - as the reader takes them
) -> "heavy.networkx.Graph[str]":
    """Return the graph of an XML file, read by a function of networkx with its warnings ignored.

    Args:
        path: The file.
        reader: Reads it.
        kind: What it should be, for messages.
        options: Of the reader.

    Raises:
        SourceError: As for `checked_xml`; or the file is not of that kind.
        WorkspaceError: As for `checked_xml`.
    """
    data = read_checked_xml(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return reader(BytesIO(data), **options)
    except (heavy.networkx.NetworkXException, *_READER_ERRORS) as error:
        raise SourceError(f"{path.name}: not valid {kind}: {translate_error(error)}; export the board again") from error


class _ElementLimiter(LimitedHandler):
    """SAX handler that refuses a file with too many elements."""

    def __init__(self) -> None:
        super().__init__()
        self._element_count = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name in xml.sax
        super().startElement(name, attrs)
        self._element_count += 1
        if self._element_count > MAX_ELEMENTS:
            raise SourceError(f"{self.line}: more than {MAX_ELEMENTS} elements; this is not a board")
