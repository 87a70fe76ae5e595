"""What a session says to those who listen, as pages get it."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from mapkit.core.base import JsonObject, of_kind
from mapkit.document.changes import ShownConflict, TableChange
from mapkit.document.history import ListedHistory


class Opened(TypedDict):
    """An open board: what the session knows of it."""

    revision: int
    position: int
    board: str
    title: str
    tables: Annotated[dict[str, dict[str, JsonObject]], of_kind("Tables")]
    history: ListedHistory
    unsaved: bool


class Changed(TypedDict):
    """The document changed: which rows, by whom, on which request."""

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
    """A step got a name."""

    type: Literal["checkpoint"]
    revision: int
    history: ListedHistory


class OnDisk(TypedDict):
    """Another program changed files in rows that were changed here too."""

    type: Literal["disk"]
    files: list[str]
    conflicts: list[ShownConflict]


class Notice(TypedDict):
    """A sentence for the author."""

    type: Literal["notice"]
    level: Literal["info", "warning", "error"]
    message: str


Event = Changed | Saved | Named | OnDisk | Notice
