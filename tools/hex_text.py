"""The texts of `docs/reference/rules-hex.md` and `docs/reference/checks-hex.md`."""

import inspect
from collections.abc import Sequence
from typing import Any

from errors_text import messages_of
from pydantic import BaseModel

from mapkit.core.checks import Check
from mapkit.kinds.hex.checks.registry import CHECKS
from mapkit.kinds.hex.rules.book import PlacedRow, options, rows
from mapkit.kinds.hex.rules.settings import HexRules

_HEAD = """\
# Rules of hexagon boards

Written by `tools/make_docs.py` from `mapkit/kinds/hex/rules/`; do not edit.

The rules of a game are data: `[rules.GROUP]` in `board.toml`, and the field `rules` of `board.json`. {count} rows of
the printed rules, each with an id such as `RW-B06`, have their place below. mapkit plays these games: rows that say
what players do are procedures, and `mapkit referee` names them.

```toml
[rules]
options = ["rotors", "fewer-markers"]

[rules.end]
markers_less = 4          # no source gives the number; this is the author's

[rules.track]
ridge = 3000
```

Options come first, then single settings. A setting without a value is a gap: no source gives the figure, and mapkit
invents none. `mapkit check` says where a board needs it.
"""


def hex_rules_text() -> str:
    """Return `docs/reference/rules-hex.md`."""
    book = rows()
    parts = [_HEAD.format(count=len(book.rows)), "## Options", "", "| option | what it does | rows | sets |"]
    parts.append("| --- | --- | --- | --- |")
    for option in options().values():
        sets = ", ".join(f"`{path}` {_value(value)}" for path, value in option.settings.items())
        parts.append(f"| `{option.id}` | {option.title} | {' '.join(option.rows)} | {sets} |")
    parts += ["", "## Settings", "", "Amounts are whole dollars.", "", "| setting | default | rows and meaning |"]
    parts.append("| --- | --- | --- |")
    parts += settings_rows(HexRules())
    parts += ["", "## What the sources leave open", "", "| number | matter |", "| --- | --- |"]
    parts += [f"| {ident} | {matter} |" for ident, matter in book.gaps.items()]
    parts += ["", "| number | disagreements inside the rules |", "| --- | --- |"]
    parts += [f"| {ident} | {matter} |" for ident, matter in book.disagreements.items()]
    parts += ["", "## Where rows live", "", "| place | what it is |", "| --- | --- |"]
    parts += [f"| {kind} | {meaning} |" for kind, meaning in book.kinds.items()]
    parts += ["", "| procedure | what it does |", "| --- | --- |"]
    parts += [f"| {name} | {meaning} |" for name, meaning in book.procedures.items()]
    for letter, topic in book.topics.items():
        parts += ["", f"## {topic}", "", "| row | rule | where |", "| --- | --- | --- |"]
        parts += [_row(row) for row in book.rows if row.id[3] == letter]
    return "\n".join(parts) + "\n"


def settings_rows(rules: BaseModel) -> list[str]:
    """Return a row for each setting of the rules: its path, default, and what it means."""
    return [f"| `{path}` | {_value(value)} | {about} |" for path, value, about in _settings(rules, "")]


def hex_checks_text() -> str:
    """Return `docs/reference/checks-hex.md`: each check of hexagon boards with its code, severity and explanation."""
    return checks_of_kind_text("Checks of hexagon boards", CHECKS)


def checks_of_kind_text(title: str, checks: Sequence[Check[Any]]) -> str:
    """Return the page of the checks of a kind."""
    parts = [
        f"# {title}",
        "",
        "Written by `tools/make_docs.py` from the registry of checks; do not edit.",
        "",
        "`mapkit check BOARD` runs all of them. [checks.md](checks.md) says what findings are, and how to accept one;",
        "mistakes in the files of a board are findings [S01](checks.md#s01).",
        "",
        "| code | name | severity | what holds |",
        "| --- | --- | --- | --- |",
        *(f"| [{c.code}](#{c.code.lower()}) | `{c.name}` | {c.severity} | {c.title} |" for c in checks),
    ]
    for check in checks:
        head = f"{check.title[:1].upper()}{check.title[1:]} ({check.severity})."
        text = inspect.cleandoc(check.find.__doc__ or "")
        parts += ["", f"## {check.code}", "", head, "", text, *messages_of(check.find)]
    return "\n".join(parts) + "\n"


def _row(row: PlacedRow) -> str:
    return f"| {row.id} | {row.title} | {'<br>'.join(_place(place) for place in row.places)} |"


def _place(place: str) -> str:
    kind, _, name = place.partition(":")
    if kind == "setting":
        return f"`{name}`"
    if kind == "check":
        return f"check [{name}](checks-hex.md#{name.lower()})"
    return f"{kind} `{name}`" if kind in ("table", "column", "option") else f"{kind}: {name}"


def _settings(model: BaseModel, above: str) -> list[tuple[str, object, str]]:
    out: list[tuple[str, object, str]] = []
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            out += _settings(value, f"{above}{name}.")
        else:
            out.append((f"{above}{name}", value, field.description or ""))
    return out


def _value(value: object) -> str:
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
