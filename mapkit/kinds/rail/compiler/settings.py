"""The settings of a document, key by key of `board.toml`; what is wrong is left out and reported.

A document made of a board has the board's own settings: its projection and page are fitted already, it names no
gazetteer, and its regions are those that the board has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel, ValidationError, create_model
from pydantic_core import ErrorDetails

from mapkit.core.base import Frozen
from mapkit.core.invalid import fault, invalid
from mapkit.core.problems import Problem
from mapkit.document.document import Row, Setting, ordered
from mapkit.document.toml_file import settings_data
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.model.board import Page
from mapkit.kinds.rail.model.source import (
    BoardConfig,
    GazetteerConfig,
    PageConfig,
    ProjectionConfig,
    RegionConfig,
)
from mapkit.kinds.rail.sources.config import LEAST
from mapkit.kinds.rail.tables import RailDocument

RULES: Final = "rules."

Rows = Mapping[str, Row]
M = TypeVar("M", Projection, Page)


@dataclass(frozen=True)
class Part:
    """What one key of `board.toml` says: its rows, what the board has of them, and what is wrong."""

    rows: Rows
    value: Any
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ReadSettings:
    """The configuration, and what of it was left out.

    Args:
        config: The configuration.
        problems: What is wrong.
        tables: The tables that it was read from.
        parts: The same, key by key.
        frame: The projection and page fit that the document gives; None where it is to be fitted.
    """

    config: BoardConfig
    problems: tuple[Problem, ...]
    tables: tuple[Rows, ...] = field(repr=False)
    parts: Mapping[str, Part] = field(repr=False)
    frame: Frame | None = field(default=None, repr=False)


def read_settings(
    document: RailDocument, before: ReadSettings | None = None, known: Mapping[str, object] | None = None
) -> ReadSettings:
    """Read the settings of a document.

    Args:
        document: The document.
        before: The settings of an earlier one; what is as it was there is taken from it.
        known: What keys say, where that is known already.
    """
    tables = (document.table("settings"), document.table("regions"), document.table("accepted"))
    if before is not None and all(one is other for one, other in zip(before.tables, tables, strict=True)):
        return before
    groups = _groups(document)
    old = before.parts if before is not None else {}
    frame = _frame(groups, before)
    parts: dict[str, Part] = {}
    for key in dict.fromkeys((*BoardConfig.model_fields, *groups)):
        rows = groups.get(key, {})
        if key in old and old[key].rows == rows:
            parts[key] = old[key]
        elif known is not None and key in known:
            parts[key] = Part(rows, known[key])
        elif frame is not None and key in _FITTED:
            parts[key] = Part(rows, _FITTED[key](frame))
        else:
            parts[key] = _part(document, key, rows, old.get(key))
    values = {key: parts[key].value for key in BoardConfig.model_fields}
    problems = tuple(problem for part in parts.values() for problem in part.problems)
    return ReadSettings(BoardConfig.model_construct(**values), problems, tables, parts, frame)


def _groups(document: RailDocument) -> dict[str, dict[str, Row]]:
    """Return the rows of settings by top key; regions and accepted findings have tables of their own."""
    out: dict[str, dict[str, Row]] = {}
    for key, row in document.settings.items():
        out.setdefault(key.partition(".")[0], {})[key] = row
    out["regions"] = dict(document.table("regions"))
    out["accepted"] = dict(document.table("accepted"))
    return out


def _part(document: RailDocument, key: str, rows: Rows, old: Part | None) -> Part:
    if key == "accepted":
        return Part(rows, {ident: row.reason for ident, row in ordered(document.accepted)})
    if key == "regions" and (rows or document.is_of_board):
        return Part(rows, _regions(document))
    if key == "gazetteer" and not rows and document.is_of_board:
        return Part(rows, GazetteerConfig.model_construct(countries=()))
    given = {"regions": []} if key == "regions" else _data(cast("Mapping[str, Setting]", rows))
    try:
        return Part(rows, getattr(_model(key).model_validate(given), key))
    except ValidationError as error:
        errors = error.errors()
    if key == "rules":
        problems = _blamed(document, errors, old.rows if old is not None else {})
    else:
        problems = tuple(
            Problem("settings", ident, text) for ident, text in {str(e["loc"][0]): invalid(e) for e in errors}.items()
        )
    least = {key: LEAST[key]} if key in LEAST else {}
    return Part(rows, getattr(_model(key).model_validate(least), key, None), problems)


def _data(rows: Mapping[str, Setting]) -> dict[str, Any]:
    return settings_data(RailDocument({"settings": rows}))


def _regions(document: RailDocument) -> tuple[RegionConfig, ...]:
    return tuple(
        RegionConfig.model_construct(id=key, name=row.name, short=row.short, colour=row.colour)
        for key, row in ordered(document.regions)
    )


@cache
def _model(key: str) -> type[BaseModel]:
    """Return what may stand under one key of `board.toml`."""
    info = BoardConfig.model_fields.get(key)
    fields: dict[str, Any] = {} if info is None else {key: (info.annotation, info)}
    return create_model("Part", __base__=Frozen, **fields)


def rules_preset(settings: Mapping[str, Setting]) -> str:
    """Return the name of the preset that the rules start from."""
    row = settings.get(f"{RULES}preset")
    return "ah" if row is None else str(row.value)


def rules_set(settings: Mapping[str, Setting]) -> dict[str, object]:
    """Return what is set on top of the preset, by dotted path."""
    return {
        key.removeprefix(RULES): row.value
        for key, row in settings.items()
        if key.startswith(RULES) and key != f"{RULES}preset"
    }


# A frame that is given


_FITTED: Final[Mapping[str, Callable[[Frame], object]]] = {
    "projection": lambda frame: ProjectionConfig.model_construct(name="crs", crs=frame.projection.crs),
    "page": lambda frame: PageConfig.model_construct(width=frame.page.width, height=frame.page.height),
}
"""What the frame that a document gives stands for."""


def _frame(groups: Mapping[str, Rows], before: ReadSettings | None) -> Frame | None:
    """Return the projection and page fit of a document that has all of it."""
    rows = [groups.get(key, {}) for key in _FITTED]
    if before is not None and before.frame is not None and rows == [before.parts[key].rows for key in _FITTED]:
        return before.frame
    if "projection.scale_mm_per_m" not in rows[0] or "page.frame" not in rows[1]:
        return None
    try:
        return Frame(_fitted(Projection, "projection.", rows[0]), _fitted(Page, "page.", rows[1]))
    except ValidationError:
        return None


def _fitted(model: type[M], head: str, rows: Rows) -> M:
    values = {key.removeprefix(head): cast("Setting", row).value for key, row in rows.items()}
    return model.model_validate({key: value for key, value in values.items() if key in model.model_fields})


# Rules that do not go together


def _blamed(document: RailDocument, errors: Sequence[ErrorDetails], before: Rows) -> tuple[Problem, ...]:
    """Return what is wrong with rules, each with the setting that is to blame: the latest that the error names."""
    given = rules_set(document.settings)
    latest = [key.removeprefix(RULES) for table, key in document.origins if table == "settings"]
    ours = [path for path in latest if path in given and given[path] is not _was(before, path)] or list(given)
    return tuple(Problem("settings", f"{RULES}{path}", text) for text, path in (_blame(e, ours) for e in errors))


def _was(rows: Rows, path: str) -> object:
    row = rows.get(f"{RULES}{path}")
    return row.value if isinstance(row, Setting) else None


def _blame(item: ErrorDetails, ours: Sequence[str]) -> tuple[str, str]:
    path = ".".join(str(part) for part in item["loc"][1:])
    fallback = ours[-1] if ours else "preset"
    if not path:
        message = item["msg"].removeprefix("Value error, ")
        return f"rules: {message}", next((own for own in reversed(ours) if own in message), fallback)
    found = next((own for own in reversed(ours) if _overlap(path, own)), fallback)
    return f"rules: {path} is {item['input']!r}: {fault(item)}", found


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")
