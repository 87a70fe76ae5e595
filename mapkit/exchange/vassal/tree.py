"""Component tree of a VASSAL module, as XML."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mapkit.formats.xml_text import xml_text

HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
Attributes = Mapping[str, str | int | bool]
_BUILD_PACKAGE: Final = "VASSAL.build."


@dataclass(frozen=True)
class Component:
    """A component: its class below `VASSAL.build.`, or a plain element in lower case, and its content."""

    kind: str
    attributes: Attributes = field(default_factory=dict)
    children: "Sequence[Component]" = ()
    text: str = ""

    @property
    def tag(self) -> str:
        """Name of its element."""
        if "." not in self.kind and self.kind[0].islower():
            return self.kind
        return self.kind if self.kind.startswith("VASSAL.") else _BUILD_PACKAGE + self.kind


def tree_text(root: Component) -> str:
    """Return the tree as an XML file.

    Raises:
        ExportError: A text holds a character that XML forbids.
    """
    return HEAD + "".join(_element_lines(root, 0))


def _element_lines(node: Component, depth: int) -> Iterator[str]:
    indent = " " * depth
    start_tag = f"{indent}<{node.tag}" + "".join(
        f' {key}="{xml_text(value)}"' for key, value in node.attributes.items()
    )
    if node.children:
        yield f"{start_tag}>\n"
        for child in node.children:
            yield from _element_lines(child, depth + 1)
        yield f"{indent}</{node.tag}>\n"
    elif node.text:
        yield f"{start_tag}>{xml_text(node.text)}</{node.tag}>\n"
    else:
        yield f"{start_tag}/>\n"
