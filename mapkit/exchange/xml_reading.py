"""XML of foreign files, looked through before a library that would follow anything sees it."""

from pathlib import Path
from typing import Final
from xml.sax.xmlreader import AttributesImpl

from mapkit.errors import SourceError, WorkspaceError
from mapkit.sources.import_kml import LimitedHandler, scan_xml

MAX_BYTES: Final = 64 * 2**20
MAX_ELEMENTS: Final = 2_000_000


def checked_xml(path: Path) -> bytes:
    """Return the bytes of an XML file that has no entities, no absurd depth, and not too many elements.

    Raises:
        SourceError: It has, or is larger than 64 MiB.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{file}: more than {MAX_BYTES} bytes; this is no board")
        data = path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{file}: cannot be read from {path}: {error.strerror or error}") from error
    scan_xml(data, _Counting(), file=file)
    return data


class _Counting(LimitedHandler):
    """Refuses a file of too many elements."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name in xml.sax
        super().startElement(name, attrs)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise SourceError(f"{self.line}: more than {MAX_ELEMENTS} elements; this is no board")
