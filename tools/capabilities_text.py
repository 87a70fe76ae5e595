"""The text of `docs/reference/capabilities.md`: what works for which kind of board, by the registries."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import mapkit
from mapkit.cli.app import OF_ANY_KIND, OF_EACH_KIND
from mapkit.console.commands import Table
from mapkit.console.derived import Entry
from mapkit.kinds.cards.exchange.registry import FORMATS as CARD_FORMATS
from mapkit.kinds.cards.rules.book import card_rows
from mapkit.kinds.hex.exchange import registry as hex_formats
from mapkit.kinds.hex.rules.book import rows as hex_rows
from mapkit.kinds.rail.exchange.format import EditedFormat, ReadingFormat
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.rows import row_places
from mapkit.kinds.registry import command_tables, get_kind

_HEAD = """\
# What works for which kind

Written by `tools/make_docs.py` from the registries of the program; do not edit.

"""
_OF_A_KIND = {"board", "into", "a", "of", "old", "target", "log", "name", "files", "symbols"}
"""Parameters for a board, or for something of one kind of boards; a single command without any serves every kind."""
_REFEREES = {"rail": "RB", "cards": "BA"}


class Row(NamedTuple):
    """A row of the printed rules: its id, where it lives, and the function that carries it out."""

    id: str
    places: tuple[str, ...]
    code: str


class FormatRow(NamedTuple):
    """A format of a kind."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: str
    carries: str
    loses: str


def capabilities_text() -> str:
    """Return `docs/reference/capabilities.md`."""
    tables = dict(command_tables(OF_EACH_KIND))
    kinds = list(tables)
    parts = [_HEAD + "## Kinds", "", "| kind | boards | page of the editor | checks | commands that change a board |"]
    parts.append("| --- | --- | --- | --- | --- |")
    for name in kinds:
        kind = get_kind(name)
        page = "plain" if kind.page == "plain" else "its own"
        parts.append(f"| `{name}` | {kind.about} | {page} | {len(kind.all_checks())} | {len(kind.commands)} |")
    parts += ["", "## Commands", "", *_commands(tables), "", *_formats(kinds), *_rules()]
    return "\n".join(parts) + "\n"


def _commands(tables: Mapping[str, Table]) -> Iterator[str]:
    by_kind = {kind: dict(_entries({**OF_ANY_KIND, **table})) for kind, table in tables.items()}
    yield "A command without a board of its own, such as `mapkit list themes`, serves every kind."
    yield ""
    yield f"| command | {' | '.join(f'`{kind}`' for kind in by_kind)} |"
    yield "| --- |" + " --- |" * len(by_kind)
    for name in sorted({name for entries in by_kind.values() for name in entries}):
        found = [entries.get(name) for entries in by_kind.values()]
        takes = {parameter for entry in found if entry for parameter in signature(_function(entry)).parameters}
        serves_all = " " not in name and not takes & _OF_A_KIND
        cells = ["yes" if entry or serves_all else "" for entry in found]
        yield f"| `mapkit {name}` | {' | '.join(cells)} |"


def _entries(table: Table) -> Iterator[tuple[str, Entry]]:
    for name, part in table.items():
        if isinstance(part, Entry):
            yield name, part
        else:
            yield from ((f"{name} {inner}", entry) for inner, entry in part.commands.items())


def _function(entry: Entry) -> Any:  # noqa: ANN401 - any function
    module, _, name = entry.where.partition(":")
    return getattr(import_module(module), name)


def _formats(kinds: Sequence[str]) -> Iterator[str]:
    formats = {"rail": [*_rail_formats()], "hex": [*_hex_formats()], "cards": [*_card_formats()]}
    names = dict.fromkeys(form.name for kind in kinds for form in formats[kind])
    yield from ["## Formats", "", "`mapkit export` writes them, and `mapkit import` reads some of them back.", ""]
    yield f"| format | {' | '.join(f'`{kind}`' for kind in kinds)} |"
    yield "| --- |" + " --- |" * len(kinds)
    for name in names:
        cells = [next((form.reads for form in formats[kind] if form.name == name), "") for kind in kinds]
        yield f"| `{name}` | {' | '.join(cells)} |"
    for kind in kinds:
        yield from ["", f"### Formats of `{kind}`", "", "| format | files | holds | does not hold |"]
        yield "| --- | --- | --- | --- |"
        for form in formats[kind]:
            files = " ".join(f"`{suffix}`" for suffix in form.suffixes)
            yield f"| `{form.name}`: {form.title} | {files} | {form.carries} | {form.loses} |"


def _rail_formats() -> Iterator[FormatRow]:
    for name in BUILT_IN:
        form = get_format(name)
        edited = "edits read" if isinstance(form, EditedFormat) else ""
        reads = "read back" if isinstance(form, ReadingFormat) else edited
        yield FormatRow(name, form.title, form.suffixes, _written(reads), form.carries, form.loses)


def _hex_formats() -> Iterator[FormatRow]:
    for name in hex_formats.FORMATS.names():
        form = hex_formats.get_format(name)
        reads = "read back" if form.read else ""
        yield FormatRow(name, form.title, form.suffixes, _written(reads), form.carries, form.loses)


def _card_formats() -> Iterator[FormatRow]:
    for form in CARD_FORMATS.list_all()[0]:
        name = form.name
        reads = "read back" if form.read else ""
        losses = "; ".join(form.losses) or "nothing"
        yield FormatRow(name, form.title, form.suffixes, _written(reads), form.carries, losses)


def _written(reads: str) -> str:
    return f"written, {reads}" if reads else "written"


def _rules() -> Iterator[str]:
    rail = [Row(row.id, row_places(row), row.code) for row in book.rows()]
    cards = [Row(row.id, row.places, _played(row.places)) for row in card_rows().rows]
    hexes = [Row(row.id, row.places, "") for row in hex_rows().rows]
    yield from [
        "",
        "## Rows of the rules",
        "",
        "How many rows of the printed rules a kind has as data (a setting, or a part or table of the board), checks,",
        "carries out in `mapkit playtest`, and names in a refusal of `mapkit referee`.",
    ]
    for kind, rows, topics in (
        ("rail", rail, book.topics()),
        ("hex", hexes, hex_rows().topics),
        ("cards", cards, card_rows().topics),
    ):
        judged = _judged(kind)
        yield from ["", f"### Rows of `{kind}`", ""]
        yield "| rows | topic | all | data | checked | carried out | refereed |"
        yield "| --- | --- | --- | --- | --- | --- | --- |"
        for letter, topic in topics.items():
            own = [row for row in rows if row.id[3] == letter]
            if own:
                yield f"| {own[0].id} to {own[-1].id} | {topic} | {_counts(own, judged)} |"
        yield f"| all | | {_counts(rows, judged)} |"
        left = [row.id for row in rows if not row.code and any(p.startswith("procedure:") for p in row.places)]
        if left and len(left) < len(rows):
            yield from ["", f"Procedures that no program carries out ({len(left)}): {', '.join(left)}."]


def _played(row_places: Iterable[str]) -> str:
    """Return the function that carries a row of card games out, or nothing."""
    return next((place.partition(":")[2] for place in row_places if _kind(place) == "play"), "")


def _counts(rows: Iterable[Row], judged: set[str]) -> str:
    all_rows = list(rows)
    data = sum(any(_kind(p) in ("setting", "board", "table", "column") for p in row.places) for row in all_rows)
    checked = sum(any(_kind(place) == "check" for place in row.places) for row in all_rows)
    played = sum(bool(row.code) for row in all_rows)
    refereed = sum(row.id in judged for row in all_rows)
    return " | ".join(map(str, (len(all_rows), data, checked, played, refereed)))


def _kind(place: str) -> str:
    return place.partition(":")[0]


def _judged(kind: str) -> set[str]:
    """Return the rows that the referee of a kind names, in the text of its modules."""
    folder = Path(mapkit.__file__).parent / "kinds" / kind / "refereeing"
    if kind not in _REFEREES:
        return set()
    pattern = re.compile(rf"\b{_REFEREES[kind]}-[A-Z]\d\d\b")
    return {row for path in folder.glob("*.py") for row in pattern.findall(path.read_text(encoding="utf-8"))}
