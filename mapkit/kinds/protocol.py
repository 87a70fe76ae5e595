"""Messages between pages and the server, for every kind of board.

`tools/make_docs.py` writes TypeScript types of these models, and of those that a kind adds, for the editor's page. What
is sent after each edit is a `TypedDict`, which costs nothing to make; everything else is a frozen model.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import PlainSerializer
from typing_extensions import TypedDict

from mapkit.core.base import Frozen, JsonObject, Point, of_kind
from mapkit.core.findings import CheckStatus, Finding, Severity
from mapkit.document.command import Command


def _encode_command(command: Command) -> JsonObject:
    return {"kind": command.kind, **command.model_dump(mode="json", exclude_unset=True)}


CommandJson = Annotated[JsonObject, of_kind("Command")]
"""A command as a page sends it; the commands of the kind read it."""

SentCommand = Annotated[Command, PlainSerializer(_encode_command), of_kind("Command")]
"""A command as a page gets it, to be sent back: without the fields that have their defaults."""

View = Mapping[str, object]
"""What a page draws, as its kind has it."""


class QueryResult(Frozen):
    """The answer to a question of a page."""


@dataclass(frozen=True)
class EncodedResult:
    """An answer, with the revision of the board that it is of."""

    revision: int
    answer: QueryResult

    def text(self) -> str:
        """Return both as one JSON object."""
        return json_line({"revision": self.revision, **self.answer.model_dump(mode="json")})


class Refusal(Frozen):
    """Reason of a refused request, the reply of every address then."""

    message: str


class NeedsCrs(Refusal):
    """The file's coordinate system must be named: the page asks for it, and sends the file again."""

    suggested_crs: str


class EmptyResult(Frozen):
    """The reply where there is nothing to say."""


class ShownFinding(TypedDict):
    """A finding with where to look on the page: `x` and `y`, null where there is no place; `at` has all places.

    `table` and `key` are the row of the document that a problem is about; `follows` is the id of its cause.
    """

    code: str
    name: str
    severity: Severity
    elements: list[str]
    place: JsonObject
    message: str
    accepted: str | None
    data: JsonObject
    id: str
    x: float | None
    y: float | None
    at: list[Point]
    table: str | None
    key: str | None
    follows: str | None


class ShownFindings(TypedDict):
    """All findings on a board, and how each check ended."""

    findings: list[ShownFinding]
    checks: dict[str, CheckStatus]


def encode_finding(
    finding: Finding, at: Sequence[Point] = (), *, table: str | None = None, key: str | None = None
) -> ShownFinding:
    """Return a finding as a page gets it.

    Args:
        finding: The finding.
        at: Places on the page, the first one to fly to.
        table: The table of the row that it is about, if it is a problem.
        key: That row.
    """
    x, y = at[0] if at else (None, None)
    plain = finding.model_dump(mode="json")
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": plain["severity"],
        "elements": plain["elements"],
        "place": plain["place"],
        "message": finding.message,
        "accepted": finding.accepted,
        "data": plain["data"],
        "id": finding.id,
        "x": x,
        "y": y,
        "at": list(at),
        "table": table,
        "key": key,
        "follows": finding.follows,
    }


def json_line(value: object) -> str:
    """Return JSON as it is sent: on one line, without spaces.

    Raises:
        ValueError: There is a number that JSON does not have.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
