"""Events of a session, in the form for pages."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from mapkit.core.base import JsonObject, of_kind
from mapkit.document.changes import ShownConflict, TableChange
from mapkit.document.history import ListedHistory


class Opened(TypedDict):
    """An open board, as known by the session."""

    revision: int
    position: int
    board: str
    title: str
    tables: Annotated[dict[str, dict[str, JsonObject]], of_kind("Tables")]
    history: ListedHistory
    unsaved: bool


class Changed(TypedDict):
    """The document changed: rows, author and request."""

    type: Literal["changed"]
    revision: int
    position: int
    client: str
    id: str | int | None
    label: str
    changes: list[Annotated[TableChange, of_kind("TableChange")]]
    history: ListedHistory
    unsaved: bool


class Saved(TypedDict):
    """The files were written."""

    type: Literal["saved"]
    revision: int
    files: list[str]
    history: ListedHistory
    unsaved: bool


class Named(TypedDict):
    """A step was named."""

    type: Literal["checkpoint"]
    revision: int
    history: ListedHistory


class OnDisk(TypedDict):
    """Another program changed rows on disk that were also changed here."""

    type: Literal["disk"]
    files: list[str]
    conflicts: list[ShownConflict]


class Notice(TypedDict):
    """A sentence for the author."""

    type: Literal["notice"]
    level: Literal["info", "warning", "error"]
    message: str


Event = Changed | Saved | Named | OnDisk | Notice
