"""Documents, help texts, docstrings and messages keep to plain words: these phrases do not come back."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY

PLAIN = {
    r"\btells? of\b": "covers, describes, reports",
    r"\bmend(s|ed|ing)?\b": "fix, repair",
    r"\b(is|are|was|were) told\b(?! apart)": "is reported, is inferred, is shown",
    r"\btold (from|by)\b": "inferred from, recognised by",
    r"\bused wrongly\b": "usage error",
    r"(?<!by )\bhand(s|ed|ing)? (on|around|round)\b": "pass on, share",
    r"\bfrom elsewhere\b": "from another file, program or place",
    r"(?<!solve )\banew\b": "again, re-",
    r"\bstrange (milepost|dot|symbol)": "another milepost",
    r"(?<!there )\b(is|are|was|were) none of\b": "is not one of",
    r"\b(that|it) (is|are) none\b": "is not one, is not valid",
    r"\bno sooner\b": "as soon as",
    r"\breckon\w*": "calculate, count",
    r"\bshall\b": "should, is to, must",
    r"\bbut for\b": "except",
    r"\bhangs? together\b": "is connected",
    r"\bcross(es|ed)? off (a|any)\b": "cross away from",
    r"\bstands? (twice|in row)\b": "appears twice, is in row",
    r"\bmake it flat\b": "flatten it",
    r"\bwrite over (it|them)\b": "overwrite it",
    r"\b(cannot become|makes|gives) no id\b": "cannot become an id",
    r"\ba page to hand\b": "a shareable page",
    r"\btaken back by itself\b": "taken back alone",
    (
        r"(?<!there )(?<!that )\b(is|was|are|were) no (?!longer\b|more\b|less\b|fewer\b|larger\b|such\b|one\b|matter\b"
        r"|need\b|way\b|part of\b|further\b|better\b|worse\b|wider\b|other\b)(?=[a-z])"
    ): "is not a",
}
"""A phrase as a regular expression, and what to write instead."""
TOLD = (
    "mapkit/kinds/rail/rules/",
    "mapkit/kinds/rail/render/rule_sheet/",
    "docs/reference/capabilities.md",
    "docs/reference/rules.md",
    "docs/how-to/variants.md",
)
"""Here players tell each other what they hold."""


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module, docstrings and parts of f-strings too, each with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if " " in text:  # others are names
                yield node.lineno, text


def in_tables(value: object) -> Iterator[str]:
    """Yield the strings of a TOML file."""
    match value:
        case str(text):
            yield text
        case dict():
            for item in value.values():
                yield from in_tables(item)
        case list():
            for item in value:
                yield from in_tables(item)


def texts() -> Iterator[tuple[str, str]]:
    """Yield where each text is, and the text on one line."""
    pages = ("*.md", "docs/**/*.md", "sources/*.md", "variants/*.md", "mapkit/editor/web/README.md")
    for page in sorted(path for pattern in pages for path in REPOSITORY.glob(pattern)):
        for number, paragraph in enumerate(page.read_text(encoding="utf-8").split("\n\n")):
            yield f"{page.relative_to(REPOSITORY).as_posix()} paragraph {number + 1}", paragraph
    for path in sorted((REPOSITORY / "mapkit").rglob("*.py")):
        for line, text in literals(path):
            yield f"{path.relative_to(REPOSITORY).as_posix()}:{line}", text
    for path in sorted((REPOSITORY / "mapkit").rglob("*.toml")):
        for text in in_tables(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield path.relative_to(REPOSITORY).as_posix(), text


def test_texts_are_in_plain_english() -> None:
    checks = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PLAIN.items()]
    wrong = []
    for where, text in texts():
        line = re.sub(r"\s+", " ", text)
        for pattern, instead in checks:
            if (found := pattern.search(line)) and not ("told" in found[0] and where.startswith(TOLD)):
                wrong.append(f"{where}: {line[max(0, found.start() - 30) : found.end() + 30]!r} (write: {instead})")
    assert wrong == []


@pytest.mark.parametrize(
    "text", ["The page tells of the rest.", "'x' is no city of this board", "told from the numbers"]
)
def test_a_phrase_is_found(text: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in PLAIN)


@pytest.mark.parametrize(
    "text", ["there is no such board", "it is no longer there", "charts = 'solve anew'", "can be told apart"]
)
def test_other_words_are_left_alone(text: str) -> None:
    assert not any(re.search(pattern, text, re.IGNORECASE) for pattern in PLAIN)


def test_names_in_the_code_say_what_they_hold() -> None:
    """Only people tell: what was noted, replied or reported is called that."""
    name = re.compile(r"\b_?(told|mend(s|ed)?)(?=\w* *(=[^=]|\(|: [A-Z]))|def \w*_(told|mended)\b(?!_apart)")
    code = [*(REPOSITORY / "mapkit").rglob("*.py"), *(REPOSITORY / "tests").rglob("*.py")]
    lines = (f"{path.name}: {line}" for path in sorted(code) for line in path.read_text(encoding="utf-8").splitlines())
    assert [line for line in lines if name.search(line) and "apart" not in line and '"' not in line] == []
