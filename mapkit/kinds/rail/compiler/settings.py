"""Settings of a document, key by key of `board.toml`; invalid ones are left out and reported.

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
from mapkit.core.invalid import invalid_value_message, value_cure
from mapkit.core.problems import Problem
from mapkit.document.document import Row, Setting, sort_rows
from mapkit.document.toml_file import settings_data
from mapkit.evaluate import Reader, tracked
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.frame import Frame, PageSettings
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
    """Value of one key of `board.toml`, and the problems of its rows."""

    value: Any
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ReadSettings:
    """Configuration, and the settings left out.

    Args:
        config: The configuration.
        problems: What is wrong.
        frame: The projection and page fit that the document gives; None where it is to be fitted.
    """

    config: BoardConfig
    problems: tuple[Problem, ...]
    frame: Frame | None = field(default=None, repr=False)


@tracked
def read_settings(db: Reader) -> ReadSettings:
    """Read the settings of a document."""
    parts = {key: _part(db, key) for key in dict.fromkeys((*BoardConfig.model_fields, *_groups(db)))}
    values = {key: parts[key].value for key in BoardConfig.model_fields}
    problems = tuple(problem for part in parts.values() for problem in part.problems)
    return ReadSettings(BoardConfig.model_construct(**values), problems, given_frame(db))


def setting(db: Reader, key: str) -> Any:  # noqa: ANN401 - of any key
    """Return the value of one key of `board.toml`."""
    return _part(db, key).value


def page_settings(db: Reader) -> PageSettings:
    """Return the settings of `board.toml` that determine the page."""
    return PageSettings(setting(db, "projection"), setting(db, "page"))


@tracked
def _groups(db: Reader) -> dict[str, dict[str, Row]]:
    """Group the rows of settings by top key; regions and accepted findings have tables of their own."""
    out: dict[str, dict[str, Row]] = {}
    for key, row in db.table("settings").items():
        out.setdefault(key.partition(".")[0], {})[key] = row
    out["regions"] = dict(db.table("regions"))
    out["accepted"] = dict(db.table("accepted"))
    return out


@tracked
def _part(db: Reader, key: str) -> Part:
    """Read one key of `board.toml`."""
    document: RailDocument = db.document
    rows: Rows = db.lookup(_groups).get(key, {})
    base: BaseBoard | None = db.input(BASE)
    if base is not None and key in base.settings and rows == base.rows_of(key):
        return Part(base.settings[key])
    if key in _FITTED and (frame := given_frame(db)) is not None:
        return Part(_FITTED[key](frame))
    if key == "accepted":
        return Part({ident: row.reason for ident, row in sort_rows(document.accepted)})
    if key == "regions" and (rows or document.is_of_board):
        return Part(
            tuple(
                RegionConfig.model_construct(id=key, name=row.name, short=row.short, colour=row.colour)
                for key, row in sort_rows(document.regions)
            )
        )
    if key == "gazetteer" and not rows and document.is_of_board:
        return Part(GazetteerConfig.model_construct(countries=()))
    return _validate(document, key, rows)


def _validate(document: RailDocument, key: str, rows: Rows) -> Part:
    """Return the value of a key of files."""
    given = (
        {"regions": []}
        if key == "regions"
        else settings_data(RailDocument({"settings": cast("Mapping[str, Setting]", rows)}))
    )
    try:
        return Part(getattr(_model(key).model_validate(given), key))
    except ValidationError as error:
        errors = error.errors()
    if key == "rules":
        problems = _find_blame(document, errors)
    else:
        problems = tuple(
            Problem("settings", ident, text)
            for ident, text in {str(e["loc"][0]): invalid_value_message(e) for e in errors}.items()
        )
    least = {key: LEAST[key]} if key in LEAST else {}
    return Part(getattr(_model(key).model_validate(least), key, None), problems)


@cache
def _model(key: str) -> type[BaseModel]:
    """Return the model of one key of `board.toml`."""
    info = BoardConfig.model_fields.get(key)
    fields: dict[str, Any] = {} if info is None else {key: (info.annotation, info)}
    return create_model("Part", __base__=Frozen, **fields)


def rules_preset(settings: Mapping[str, Setting]) -> str:
    """Return the name of the preset that the rules start from."""
    row = settings.get(f"{RULES}preset")
    return "ah" if row is None else str(row.value)


def rules_set(settings: Mapping[str, Setting]) -> dict[str, object]:
    """Return the settings on top of the preset, by dotted path."""
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


@tracked
def given_frame(db: Reader) -> Frame | None:
    """Return the projection and page fit of a document that has all of it."""
    rows = [db.lookup(_groups).get(key, {}) for key in _FITTED]
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


def _find_blame(document: RailDocument, errors: Sequence[ErrorDetails]) -> tuple[Problem, ...]:
    """Return the problems of rules, each with the latest setting that the error names.

    Settings of variants are later than those that they are applied to.
    """
    given = rules_set(document.settings)
    settings = [(key, origin) for (table, key), origin in document.origins.items() if table == "settings"]
    varied = [key.removeprefix(RULES) for key, origin in settings if origin.how == "variant"]
    ours = [path for path in varied if path in given] or list(given)
    return tuple(Problem("settings", f"{RULES}{path}", text) for text, path in (_blame(e, ours) for e in errors))


def _blame(item: ErrorDetails, ours: Sequence[str]) -> tuple[str, str]:
    path = ".".join(str(part) for part in item["loc"][1:])
    fallback = ours[-1] if ours else "preset"
    if not path:
        message = item["msg"].removeprefix("Value error, ")
        return f"rules: {message}", next((own for own in reversed(ours) if own in message), fallback)
    found = next(
        (own for own in reversed(ours) if (f"{path}.".startswith(f"{own}.") or f"{own}.".startswith(f"{path}."))),
        fallback,
    )
    return f"rules: {path} is {item['input']!r}: {value_cure(item)}", found
