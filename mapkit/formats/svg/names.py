"""Names in SVG (labels, titles, chosen ids, classes), and style sheets as far as they hide or move elements."""

import re
import sys
from collections.abc import Iterable, Iterator

from mapkit.formats.svg.tree import INKSCAPE, SvgNode

_ENCODED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{1,6})_")
_REPEAT_SUFFIX = re.compile(r"_[0-9]+_$")
# What drawing programs number: path1234-5, Layer_1, Rectangle 7, <Path>.
_KIND_NAMES = (
    "path|compound path|group|clip ?group|rect|rectangle|circle|ellipse|oval|line|polyline|polygon|shape|star|arc|"
    "vector|use|image|text|tspan|svg|symbol|xmlid|svgid|layer|ebene|calque|capa|livello|camada|laag|lager|warstwa|vrstva"
)
_MADE_UP_ID = re.compile(rf"[_ ]*<?(?:(?:{_KIND_NAMES})>?|g(?=[0-9]))(?:[-_. ]*[0-9]+)*[_ ]*", re.IGNORECASE)
_ID_LENGTH = 200
_SIMPLE_SELECTOR = re.compile(r"([a-zA-Z*][\w-]*|\*)?([.#][\w-]+)?")
_READ_PROPERTIES = frozenset({"display", "visibility", "transform", "transform-origin", "clip-path", "mask"})


def plain(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def _decode_character(match: re.Match[str]) -> str:
    """Return the character of `_x20_`."""
    code = int(match[1], 16)
    character = chr(code) if code <= sys.maxunicode else ""
    return character if character and character.isprintable() else match[0]


def decode_id(text: str, *, illustrator: bool) -> str:
    """Return an id as its author typed it.

    Illustrator writes characters that are forbidden in ids as `_x26_`, a space as `_`, and adds `_1_` to an id that is
    used already.

    Args:
        text: The id, such as `New_York__x26__Erie_1_`.
        illustrator: Whether Illustrator wrote the file; else only `_x26_` is decoded.
    """
    if not illustrator:
        return plain(_ENCODED_CHARACTER.sub(_decode_character, text))
    unrepeated_id = _REPEAT_SUFFIX.sub("", text)
    parts = _ENCODED_CHARACTER.split(unrepeated_id)
    decoded_characters = [_ENCODED_CHARACTER.sub(_decode_character, f"_x{code}_") for code in parts[1::2]]
    words = [part.replace("_", " ") for part in parts[0::2]]
    return plain("".join(word + code for word, code in zip(words, [*decoded_characters, ""], strict=True)))


def made_up(name: str) -> bool:
    """Return whether a drawing program made up this id: `path1234-5`, `Layer_1`, `rect7`."""
    return len(name) > _ID_LENGTH or bool(_MADE_UP_ID.fullmatch(name))


def own_label(node: SvgNode) -> str:
    """Return the name given to an element: `inkscape:label`, else `data-name` (Illustrator), else empty."""
    return plain(node.attributes.get(f"{INKSCAPE}label", "")) or plain(node.attributes.get("data-name", ""))


def own_id(node: SvgNode, *, illustrator: bool) -> str:
    """Return the decoded id of an element if its author chose it, else empty."""
    raw_id = node.attributes.get("id", "")
    decoded_name = decode_id(raw_id, illustrator=illustrator)
    return "" if made_up(raw_id) or made_up(decoded_name) else decoded_name


def point_name(node: SvgNode, *, illustrator: bool) -> str:
    """Return the name of a milepost: its `title`, else its label, else an id that its author chose, else empty."""
    title = node.child("title")
    return (plain(title.text) if title else "") or own_label(node) or own_id(node, illustrator=illustrator)


def declarations(text: str) -> dict[str, str]:
    """Return the declarations of a style that affect position or visibility."""
    value_by_property = {}
    for part in text.split(";"):
        name, _, value = part.partition(":")
        if (key := name.strip().lower()) in _READ_PROPERTIES:
            value_by_property[key] = value.replace("!important", "").strip()
    return value_by_property


def _strip_comments(css: str) -> str:
    """Return a style sheet without comments."""
    first, *rest = css.split("/*")
    return first + "".join(part.partition("*/")[2] for part in rest)


def _split_rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield `(selectors, declarations)`, without the content of `@` rules."""
    depth, rule_start, selector = 0, 0, ""
    for match in re.finditer("[{};]", css):
        text, mark = css[rule_start : match.start()], match[0]
        if mark == ";" and depth > 0:
            continue
        rule_start = match.end()
        if mark == "{":
            depth += 1
            selector = text.strip() if depth == 1 else selector
        elif mark == "}":
            if depth == 1 and not selector.startswith("@"):
                yield selector, text
            depth = max(depth - 1, 0)


class Styles:
    """Style sheets of a file, as far as they hide or move elements; simple selectors only.

    Attributes:
        not_understood: Selectors that would hide or move something, but which are not simple.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._by_key: dict[str, dict[str, str]] = {}
        self.not_understood: list[str] = []
        for sheet in sheets:
            for selectors, text in _split_rules(_strip_comments(sheet)):
                if rule_declarations := declarations(text):
                    for selector in selectors.split(","):
                        self._add_rule(selector.strip(), rule_declarations)

    def _add_rule(self, selector: str, found: dict[str, str]) -> None:
        if selector and _SIMPLE_SELECTOR.fullmatch(selector):
            self._by_key.setdefault(selector, {}).update(found)
        else:
            self.not_understood.append(selector[:40])

    def of(self, node: SvgNode) -> dict[str, str]:
        """Return the declarations of an element; inline style before id, class, element, attribute."""
        result = {name: node.attributes[name].strip() for name in _READ_PROPERTIES if name in node.attributes}
        if self._by_key:
            classes = [f".{name}" for name in node.attributes.get("class", "").split()]
            id_selector = f"#{node.attributes.get('id', '')}"
            for selector in (
                "*",
                node.tag,
                *classes,
                *(node.tag + mark for mark in classes),
                id_selector,
                node.tag + id_selector,
            ):
                result |= self._by_key.get(selector, {})
        if style := node.attributes.get("style"):
            result |= declarations(style)
        return result
