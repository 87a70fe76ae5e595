"""Names in SVG (labels, titles, chosen ids, classes), and style sheets as far as they hide or move elements."""

import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mapkit.formats.svg.paint import PAINT_PROPERTIES
from mapkit.formats.svg.tree import INKSCAPE, SERIF, SvgNode

_ENCODED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{1,6})_")
_REPEAT_SUFFIX = re.compile(r"_[0-9]+_$")
# What drawing programs number: path1234-5, Layer_1, Rectangle 7, <Path>.
_KIND_NAMES = (
    "path|compound path|group|clip ?group|rect|rectangle|circle|ellipse|oval|line|polyline|polygon|shape|star|arc|"
    "vector|use|image|text|tspan|svg|symbol|xmlid|svgid|layer|ebene|calque|capa|livello|camada|laag|lager|warstwa|vrstva"
)
_MADE_UP_ID = re.compile(rf"[_ ]*<?(?:(?:{_KIND_NAMES})>?|g(?=[0-9]))(?:[-_. ]*[0-9]+)*[_ ]*", re.IGNORECASE)
_ID_LENGTH = 200
_SIMPLE_SELECTOR = re.compile(r"(?=.)([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_MAX_RULES = 1000
"""More selectors are not read: programs write a few hundred, and each may be tried on each element."""
_READ_PROPERTIES = PAINT_PROPERTIES | {
    *("display", "visibility", "transform", "transform-origin", "clip-path", "mask", "font-size", "text-anchor"),
}


def collapse_spaces(text: str) -> str:
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
        return collapse_spaces(_ENCODED_CHARACTER.sub(_decode_character, text))
    unrepeated_id = _REPEAT_SUFFIX.sub("", text)
    parts = _ENCODED_CHARACTER.split(unrepeated_id)
    decoded_characters = [_ENCODED_CHARACTER.sub(_decode_character, f"_x{code}_") for code in parts[1::2]]
    words = [part.replace("_", " ") for part in parts[0::2]]
    return collapse_spaces("".join(word + code for word, code in zip(words, [*decoded_characters, ""], strict=True)))


def is_made_up(name: str) -> bool:
    """Return whether a drawing program made up this id: `path1234-5`, `Layer_1`, `rect7`."""
    return len(name) > _ID_LENGTH or bool(_MADE_UP_ID.fullmatch(name))


def own_label(node: SvgNode) -> str:
    """Return the name given to an element by Inkscape, Illustrator or Affinity, else empty."""
    labels = (node.attributes.get(name, "") for name in (f"{INKSCAPE}label", "data-name", f"{SERIF}id"))
    return next(filter(None, map(collapse_spaces, labels)), "")


def own_id(node: SvgNode, *, illustrator: bool) -> str:
    """Return the decoded id of an element if its author chose it, else empty."""
    raw_id = node.attributes.get("id", "")
    decoded_name = decode_id(raw_id, illustrator=illustrator)
    return "" if is_made_up(raw_id) or is_made_up(decoded_name) else decoded_name


def point_name(node: SvgNode, *, illustrator: bool) -> str:
    """Return the name of a milepost: its `title`, else its label, else an id that its author chose, else empty."""
    title = node.child("title")
    return (collapse_spaces(title.text) if title else "") or own_label(node) or own_id(node, illustrator=illustrator)


def parse_declarations(text: str) -> dict[str, str]:
    """Return the declarations of a style that affect position, paint or visibility."""
    value_by_property = {}
    for part in text.split(";"):
        name, _, value = part.partition(":")
        if (key := name.strip().lower()) in _READ_PROPERTIES:
            value_by_property[key] = value.strip()
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


class _Compound(NamedTuple):
    """A selector of one element: `path.main#a`, optionally of a direct child (`>`)."""

    is_child: bool
    tag: str
    marks: frozenset[str]

    def matches(self, node: SvgNode) -> bool:
        return self.tag in {"", "*", node.tag} and self.marks <= {
            f"#{node.attributes.get('id', '')}",
            *(f".{name}" for name in node.attributes.get("class", "").split()),
        }


class _Rule(NamedTuple):
    specificity: tuple[int, int, int]
    order: int
    compounds: tuple[_Compound, ...]
    declarations: dict[str, str]


class Styles:
    """Style sheets of a file, as far as they paint, hide or move elements: types, classes, ids and their nesting.

    Attributes:
        not_understood: Other selectors of rules that would paint, hide or move something.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules_by_key: dict[str, list[_Rule]] = {}
        self.not_understood: list[str] = []
        self._rule_count = 0
        for sheet in sheets:
            for selectors, text in _split_rules(_strip_comments(sheet)):
                if rule_declarations := parse_declarations(text):
                    for selector in selectors.split(","):
                        self._add_rule(selector.strip(), rule_declarations)

    def _add_rule(self, selector: str, declarations: dict[str, str]) -> None:
        if self._rule_count >= _MAX_RULES:
            self.not_understood.append(f"selectors after {_MAX_RULES}")
            return
        texts = re.sub(r"\s*>\s*", " >", selector).split()
        matches = [_SIMPLE_SELECTOR.fullmatch(text.removeprefix(">")) for text in texts]
        if not texts or not all(matches):
            self.not_understood.append(selector[:40])
            return
        compounds = tuple(
            _Compound(text.startswith(">"), match[1] or "", frozenset(re.findall(r"[.#][\w-]+", match[2])))
            for text, match in zip(texts, matches, strict=True)
            if match
        )
        marks = [mark for compound in compounds for mark in compound.marks]
        id_count = sum(mark.startswith("#") for mark in marks)
        tag_count = sum(compound.tag not in {"", "*"} for compound in compounds)
        self._rule_count += 1
        rule = _Rule((id_count, len(marks) - id_count, tag_count), self._rule_count, compounds, declarations)
        key = next(iter(sorted(compounds[-1].marks)), compounds[-1].tag or "*")
        self._rules_by_key.setdefault(key, []).append(rule)

    def of(self, node: SvgNode) -> dict[str, str]:
        """Return the declarations of an element; inline style before rules by specificity, before attributes."""
        result = {name: node.attributes[name].strip() for name in _READ_PROPERTIES if name in node.attributes}
        if self._rules_by_key:
            classes = [f".{name}" for name in node.attributes.get("class", "").split()]
            rules = [
                rule
                for key in dict.fromkeys(("*", node.tag, *classes, f"#{node.attributes.get('id', '')}"))
                for rule in self._rules_by_key.get(key, ())
                if _matches(rule.compounds, node)
            ]
            for rule in sorted(rules, key=lambda rule: (rule.specificity, rule.order)):
                _override(result, rule.declarations)
        _override(result, parse_declarations(node.attributes.get("style", "")))
        return {name: value.removesuffix("!important").strip() for name, value in result.items()}


def _override(result: dict[str, str], declarations: dict[str, str]) -> None:
    """Take declarations of higher precedence, except over important ones."""
    for name, value in declarations.items():
        if value.endswith("!important") or not result.get(name, "").endswith("!important"):
            result[name] = value


def _matches(compounds: tuple[_Compound, ...], node: SvgNode) -> bool:
    """Return whether the last compound matches an element, and the others the elements around it."""
    if not compounds[-1].matches(node):
        return False
    if len(compounds) == 1:
        return True
    chain = [node]
    while (around := chain[-1].parent) is not None:
        chain.append(around)
    # All places on the chain that the compounds so far may end at: trying them one by one would take exponential time.
    places = {0}
    for compound, inner in zip(compounds[-2::-1], compounds[:0:-1], strict=True):
        nearest = min(places)
        candidates = {place + 1 for place in places} if inner.is_child else range(nearest + 1, len(chain))
        places = {place for place in candidates if place < len(chain) and compound.matches(chain[place])}
        if not places:
            return False
    return True
