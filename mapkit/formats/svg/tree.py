"""SVG files as trees, read safely: no entities or external references, limits on size, depth and number of elements."""

import gzip
import zlib
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException, EntitiesForbidden
from defusedxml.ElementTree import DefusedXMLParser

from mapkit.core.characters import refuse_bytes
from mapkit.core.errors import SourceError
from mapkit.formats.files import MAX_BYTES, read_bytes

MAX_DEPTH = 256
MAX_ELEMENTS = 500_000
INKSCAPE: Final = "{http://www.inkscape.org/namespaces/inkscape}"
SODIPODI: Final = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}"
SERIF: Final = "{http://www.serif.com/}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"
_SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
_GZIP_SIGNATURE = b"\x1f\x8b"
_MAX_SHOWN = 60
_TEXT_ELEMENTS = {"title", "style", "text", "tspan", "textPath"}


@dataclass(slots=True, eq=False)
class SvgNode:
    """An element: name without namespace (empty if it is not SVG), attributes, and position in the file."""

    tag: str
    attributes: dict[str, str]
    line: int
    ordinal: int
    parent: "SvgNode | None" = field(default=None, repr=False)
    children: "list[SvgNode]" = field(default_factory=list)
    text: str = ""

    @property
    def label(self) -> str:
        """The id, or `path[7]` for the seventh path of the file."""
        return self.attributes.get("id", "")[:_MAX_SHOWN] or f"{self.tag}[{self.ordinal}]"

    def child(self, tag: str) -> "SvgNode | None":
        """Return the first child of that name."""
        return next((child for child in self.children if child.tag == tag), None)


@dataclass(frozen=True)
class SvgFile:
    """Outermost `svg` element of a file, with its ids, style sheets and program."""

    root: SvgNode
    ids: dict[str, SvgNode]
    repeated_ids: tuple[str, ...]
    style_sheets: tuple[str, ...]
    illustrator: bool
    data: bytes = b""


class _Builder:
    """Target of the XML parser that counts while reading, so that a bomb is refused early."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.parser: DefusedXMLParser | None = None
        self.root: SvgNode | None = None
        self.open: list[SvgNode] = []
        self.total = 0
        self.seen: dict[str, int] = {}
        self.ids: dict[str, SvgNode] = {}
        self.repeated: dict[str, None] = {}
        self.styles: list[SvgNode] = []
        self.illustrator = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        local_name = tag.removeprefix(_SVG_NAMESPACE)
        local_name = "" if "}" in local_name else local_name
        self.total += 1
        self.seen[local_name] = self.seen.get(local_name, 0) + 1
        line = self.parser.parser.CurrentLineNumber if self.parser else 0
        parent = self.open[-1] if self.open else None
        node = SvgNode(local_name, attributes, line, self.seen[local_name], parent)
        if len(self.open) >= MAX_DEPTH:
            raise SourceError(f"{self.file}:{line}: {node.label} is nested {MAX_DEPTH} deep; ungroup the drawing")
        if self.total > MAX_ELEMENTS:
            raise SourceError(f"{self.file}:{line}: more than {MAX_ELEMENTS} elements; split the file")
        if name := attributes.get("id"):
            if name in self.ids:
                self.repeated[name] = None
            else:
                self.ids[name] = node
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        if local_name == "style":
            self.styles.append(node)
        self.open.append(node)

    def end(self, _tag: str) -> None:
        """Close an element."""
        self.open.pop()

    def data(self, text: str) -> None:
        """Store the text of titles, labels and style sheets only."""
        if self.open and self.open[-1].tag in _TEXT_ELEMENTS:
            self.open[-1].text += text

    def comment(self, text: str) -> None:
        """Detect files written by Illustrator."""
        self.illustrator = self.illustrator or "Adobe Illustrator" in text

    def close(self) -> None:
        """End the file."""


def _read_bytes(path: Path, name: str) -> bytes:
    """Return the content of a file within the size limit, unpacked if it is compressed (SVGZ).

    Raises:
        SourceError: It is empty, too large, unpacks to too much, or cannot be unpacked.
        WorkspaceError: It is missing or not readable.
    """
    data = read_bytes(
        path, name=name, limit=MAX_BYTES, cure="link pictures instead of embedding them, or split the file"
    )
    if data.startswith(_GZIP_SIGNATURE):
        data = _unpack_gzip(data, name)
    if not data.strip():
        raise SourceError(f"{name}:1: the file is empty; fill it in or remove it")
    return data


def _unpack_gzip(data: bytes, name: str) -> bytes:
    """Return the content of a gzip file within the size limit.

    Raises:
        SourceError: It is damaged, or larger than that.
    """
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as stream:
            unpacked = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{name}: the compressed SVG is damaged; save it as plain SVG") from error
    if len(unpacked) > MAX_BYTES:
        raise SourceError(f"{name}: unpacks to more than the limit of {MAX_BYTES} bytes; simplify the drawing")
    return unpacked


def read_document(path: Path, *, name: str) -> SvgFile:
    """Read an SVG file as a tree.

    A document type that declares nothing (`<!DOCTYPE svg PUBLIC ...>`, as Illustrator writes it) is passed over and
    never fetched; entities and anything external are refused.

    Raises:
        SourceError: It is not well-formed, declares entities, is too large or too deep, or is not an SVG.
        WorkspaceError: It is missing or not readable.
    """
    data = _read_bytes(path, name)
    builder = _Builder(name)
    parser = DefusedXMLParser(target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    builder.parser = parser
    try:
        parser.feed(data)
        parser.close()
    except ParseError as error:
        refuse_bytes(data, file=name)
        raise SourceError(f"{name}:{error.position[0]}: not well-formed XML: {error}; save the file again") from error
    except EntitiesForbidden as error:
        raise SourceError(
            f"{name}: declares the entity {error.name[:_MAX_SHOWN]!r}, which is refused; save as plain SVG (in "
            "Illustrator without 'Preserve Illustrator Editing Capabilities')"
        ) from error
    except DefusedXmlException as error:
        raise SourceError(
            f"{name}: refers to something outside the file, which is refused; save as plain SVG"
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, or that has several bytes
        raise SourceError(f"{name}:1: its encoding cannot be read ({error}); save the file as UTF-8") from error
    if builder.root is None or builder.root.tag != "svg":
        raise SourceError(f"{name}:1: the outermost element is not svg; this is not an SVG file")
    style_sheets = tuple(node.text for node in builder.styles)
    return SvgFile(builder.root, builder.ids, tuple(builder.repeated), style_sheets, builder.illustrator, data)
