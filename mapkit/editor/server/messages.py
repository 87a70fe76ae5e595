"""Messages between the server and its pages on the socket."""

from typing import Annotated, Final, Literal, NotRequired

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from mapkit.core.base import Frozen, JsonObject, of_kind
from mapkit.core.errors import MapkitError
from mapkit.document.changes import ShownConflict
from mapkit.document.events import Changed, Named, Notice, OnDisk, Opened, Saved
from mapkit.editor.server.limits import Limits
from mapkit.kinds.protocol import CommandJson, ShownFinding, ShownFindings, View

# --- from the server


class Hello(Opened):
    """The whole board, as a page first gets it.

    `notices` are what the author should know first, such as that a shipped board was copied; `writable` says whether
    the folder of the board can be written to; `disk` are files that another program changed, until that is settled;
    `limits` say how much a page may send.
    """

    type: Literal["hello"]
    client: str
    kind: str
    view: Annotated[View, of_kind("View")]
    findings: list[ShownFinding]
    notices: list[str]
    writable: bool
    disk: OnDisk | None
    limits: Limits


class ChangedBoard(Changed):
    """Change of the board, with the parts to draw again."""

    view: Annotated[View, of_kind("ViewDelta")]


class Done(TypedDict):
    """A request was done."""

    type: Literal["done"]
    id: str
    revision: int


class Refused(TypedDict):
    """A request was not done; `cause` is `disk` if it could not be written, and would be refused again."""

    type: Literal["refused"]
    id: str
    message: str
    conflict: NotRequired[list[ShownConflict]]
    cause: NotRequired[Literal["disk"]]


class Checked(ShownFindings):
    """All findings of a revision; without `drawing` those of the drawing are left out."""

    type: Literal["findings"]
    revision: int
    drawing: bool


class Fitted(TypedDict):
    """The page was refitted: where everything is now."""

    type: Literal["view"]
    view: Annotated[View, of_kind("ViewDelta")]


class Checking(TypedDict):
    """Progress of all checks; `of` is 0 before the first, and, with an empty `what`, when they broke off."""

    type: Literal["checking"]
    done: int
    of: int
    what: str


class Settled(TypedDict):
    """Decision of a page on files that another program changed; null if nothing was left to decide."""

    type: Literal["settled"]
    client: str
    take: Literal["disk", "mine"] | None


class Choose(TypedDict):
    """Request for the start of a board that does not exist yet, or, where `board` is empty, of any board.

    `recent` are the boards of this workspace, those used last first; `boards` are all that can be opened or copied, and
    `titles` says how each is called.
    """

    type: Literal["choose"]
    board: str
    boards: list[str]
    recent: list[str]
    titles: dict[str, str]


FromServer = (
    Hello
    | ChangedBoard
    | Saved
    | Named
    | OnDisk
    | Settled
    | Notice
    | Done
    | Refused
    | Checked
    | Fitted
    | Checking
    | Choose
)


class Alive(Frozen):
    """Board of the server, and its revision."""

    board: str
    revision: int


class Begun(Frozen):
    """The board that was made."""

    board: str


# --- from a page


class Enter(Frozen):
    """The ticket in the address that a page was opened by."""

    ticket: str = Field(max_length=200)


class Entered(Frozen):
    """Secret of a page that was let in, to be sent with every request."""

    secret: str


class Prove(Frozen):
    """Challenge of a program that knows the secret; with the server's challenge and the proof it gets a ticket."""

    nonce: str = Field(min_length=16, max_length=100)
    challenge: str = Field(default="", max_length=200)
    proof: str = Field(default="", max_length=100)


class Proven(Frozen):
    """Challenge and proof of the server, and a ticket for who proved that it knows the secret too."""

    challenge: str = ""
    proof: str = ""
    ticket: str = ""


class TicketFor(Frozen):
    """Request of a ticket for the path of an address, such as that of a download."""

    path: str = Field(max_length=2000)


class Ticket(Frozen):
    """A ticket that is good once and for a short time, for its path alone; it stands in the address as `ticket`."""

    ticket: str


class Knock(Frozen):
    """First message of a page on the socket."""

    type: Literal["enter"]
    secret: str


class Begin(Frozen):
    """Start of a new board: `example`, `empty`, or the name of a board to copy; `open` opens the board that is named.

    `board` is its id, where the program was not told one.
    """

    source: str
    board: str = Field(default="", max_length=200)


class _Request(Frozen):
    """Request of a page; one that comes again under the same id is not carried out twice."""

    id: str = Field(default="", max_length=100)


class Do(_Request):
    """Do a command; `seen` is the revision that the author saw, `force` does it though others changed the same rows."""

    type: Literal["do"]
    command: CommandJson = Field(default_factory=dict)
    seen: int | None = None
    force: bool = False


class Undo(_Request):
    """Go back one step."""

    type: Literal["undo"]


class Redo(_Request):
    """Go forward one step."""

    type: Literal["redo"]


class GoTo(_Request):
    """Go to any step; 0 is the start."""

    type: Literal["goto"]
    to: int


class Checkpoint(_Request):
    """Give the present step a name."""

    type: Literal["checkpoint"]
    name: str = ""


class Save(_Request):
    """Write the files."""

    type: Literal["save"]


class SettleDisk(_Request):
    """Take the rows in the files, or keep those here."""

    type: Literal["disk"]
    take: Literal["disk", "mine"]


class FitPage(_Request):
    """Fit projection and page to the board as a build would now."""

    type: Literal["fit-page"]


class CheckAll(_Request):
    """Run all checks, also of the drawing; every page gets the findings when they are done; `stop` ends them."""

    type: Literal["check"]
    stop: bool = False


Request = Do | Undo | Redo | GoTo | Checkpoint | Save | SettleDisk | FitPage | CheckAll
_READ: Final[TypeAdapter[Request]] = TypeAdapter(Annotated[Request, Field(discriminator="type")])


def read_request(data: JsonObject) -> Request:
    """Read a page's request.

    Raises:
        MapkitError: It is nothing that the editor knows.
    """
    try:
        return _READ.validate_python(data, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        if first["loc"] == ("do", "command"):
            raise MapkitError("a command is a JSON object") from error
        what = repr(data.get("type"))
        if len(first["loc"]) > 1:
            what += f" with this {'.'.join(map(str, first['loc'][1:]))} ({first['msg']})"
        raise MapkitError(f"the editor does not know the request {what}; reload the page") from error
