"""The open board and the pages that look at it: requests in, one at a time; events out, to everybody.

All work on the session is done by one thread, in the order in which it was asked for; so what a page hears first is
the whole board, and every change after that, each once.
"""

import asyncio
import os
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, assert_never

from mapkit.core.base import JsonObject
from mapkit.core.cancellation import CancelledError, cancel_when, check_cancelled
from mapkit.core.errors import MapkitError, OutputError
from mapkit.document.disk import Take
from mapkit.document.document import Document
from mapkit.document.draft import CommandError
from mapkit.document.events import Event, OnDisk
from mapkit.document.session import ConflictError, Session
from mapkit.editor.server.limits import limits_of
from mapkit.editor.server.messages import (
    ChangedBoard,
    CheckAll,
    Checked,
    Checkpoint,
    Do,
    Done,
    FitPage,
    FromServer,
    GoTo,
    Hello,
    Redo,
    Refused,
    Request,
    Save,
    SettleDisk,
    Undo,
    read_request,
)
from mapkit.editor.server.pictures import PictureError, Pictures
from mapkit.evaluate import Evaluator
from mapkit.kinds.kind import AnyFindings, Kind
from mapkit.kinds.protocol import EncodedResult, View, json_line
from mapkit.kinds.queries import BoardSnapshot

CHECK_AFTER = 0.1
"""Seconds from an edit to its checks, so that a burst of edits is checked once."""
PATIENCE = 3.0
"""Seconds after which a page hears why its step is not done yet."""
_LOOK_EVERY = 1.0
_REMEMBERED = 2000
_QUEUE = 1000
_BUSY = "Another program is writing to this board; your step is done when it has ended."
_FAULT = "the editor has a fault here; what is in the list of steps is kept"
_RELOAD = "Reload the page and look whether the step is there"
T = TypeVar("T")


@dataclass(eq=False)
class Client:
    """Open page: its name, whether it is gone, and its queue of messages; None ends it."""

    name: str
    gone: bool = False
    queue: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(_QUEUE))

    def put(self, text: str | None) -> None:
        """Queue a message; a page that takes nothing is cut off, and starts again when it comes back."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            text = None
        self.queue.put_nowait(text)


class Hub:
    """One open board, between its session and its pages.

    Args:
        session: The open board.
        notices: What every page hears first.
    """

    def __init__(self, session: Session[Any], *, notices: tuple[str, ...] = ()) -> None:
        if not isinstance(session.package, Kind):
            raise TypeError(session.package)
        self.session = session
        self.kind: Kind[Any, Any] = session.package
        self._notices = notices
        self._disk: OnDisk | None = None
        self._pages: set[Client] = set()
        self._worker = ThreadPoolExecutor(1, "mapkit-edit")
        self._readers = ThreadPoolExecutor(2, "mapkit-ask")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answered: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._evaluator = Evaluator()
        self._live: Any = self.kind.compile(session.document, board_id=session.board, evaluator=self._evaluator)
        self._delta: View = {}
        self._revision = session.revision
        self._findings: AnyFindings | None = None
        self._end_events = session.subscribe(self._heard)
        self._checking: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._all_checks: asyncio.Task[None] | None = None
        self._check_again = asyncio.Event()
        self._stop_checks = threading.Event()

    # --- life

    async def start(self) -> None:
        """Begin to look after files and checks."""
        self._loop = asyncio.get_running_loop()
        self._looking = asyncio.create_task(self._look())
        self._checking = asyncio.create_task(self._check())
        self._check_again.set()

    async def stop(self) -> None:
        """End; every page is cut off."""
        for task in (self._looking, self._checking, self._all_checks):
            if task is not None:
                task.cancel()
        for page in list(self._pages):
            page.put(None)
        self._end_events()
        self._worker.shutdown(wait=True)
        self._readers.shutdown(wait=False, cancel_futures=True)

    # --- pages

    async def join(self, page: Client) -> None:
        """Tell a page everything, and from then on every change."""
        await self._work(lambda: self._join(page))

    def leave(self, page: Client) -> None:
        """Forget a page, also one that goes before it has heard anything."""
        page.gone = True
        self._pages.discard(page)

    @property
    def watched(self) -> bool:
        """Return whether a page is open."""
        return bool(self._pages)

    def _join(self, page: Client) -> None:
        hello: Hello = {
            "type": "hello",
            **self.session.opened(),
            "client": page.name,
            "kind": self.kind.name,
            "view": self.kind.view(self._live),
            "findings": self._findings.as_json()["findings"] if self._findings is not None else [],
            "notices": list(self._notices),
            "writable": self._writable(),
            "disk": self._disk,
            "limits": limits_of(self.kind),
        }
        text = json_line(hello)
        self._call(lambda: self._add(page, text))

    def _writable(self) -> bool:
        folder = self.session.folder
        return folder is None or all(os.access(each, os.W_OK) for each in (folder, folder.resolve().parent))

    def _add(self, page: Client, text: str) -> None:
        page.put(text)
        if not page.gone:
            self._pages.add(page)

    def _send_all(self, message: FromServer) -> None:
        text = json_line(message)

        def emit() -> None:
            for page in list(self._pages):
                page.put(text)

        self._call(emit)

    def _call(self, function: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    # --- requests

    async def request(self, page: Client, data: JsonObject) -> None:
        """Carry out a page's request, and answer `done` or `refused`."""
        work = asyncio.ensure_future(self._work(lambda: self._reply(page.name, data)))
        _, late = await asyncio.wait({work}, timeout=PATIENCE)
        if late and self.session.waiting:
            page.put(json_line({"type": "notice", "level": "warning", "message": _BUSY}))
        page.put(await work)

    def _reply(self, client: str, data: JsonObject) -> str:
        ident = str(data.get("id", ""))
        known = self._answered.get((client, ident))
        if known is not None:
            return known
        answered: Done | Refused
        try:
            request = read_request(data | {"id": ident})
            if not self.session.has_done(client, ident):  # otherwise it was, and this program was started again
                self._do(client, request)
            answered = {"type": "done", "id": ident, "revision": self.session.revision}
        except ConflictError as error:
            conflicts = [c.shown() for c in error.conflicts]
            answered = {"type": "refused", "id": ident, "message": str(error), "conflict": conflicts}
        except OutputError as error:
            answered = {"type": "refused", "id": ident, "message": str(error), "cause": "disk"}
        except MapkitError as error:
            answered = {"type": "refused", "id": ident, "message": str(error)}
        except Exception as error:  # noqa: BLE001 - a fault of ours must not cut the line: the page would ask again
            traceback.print_exc()
            answered = {"type": "refused", "id": ident, "message": f"{_FAULT} ({error!r:.200}). {_RELOAD}"}
        text = json_line(answered)
        if ident:
            self._answered[client, ident] = text
            while len(self._answered) > _REMEMBERED:
                self._answered.popitem(last=False)
        return text

    def _do(self, client: str, request: Request) -> None:
        session, ident = self.session, request.id
        match request:
            case Do():
                session.do(request.command, client=client, seen=request.seen, force=request.force, request=ident)
            case Undo():
                others = {page.name for page in self._pages.copy()} - {client}
                session.undo(client=client, request=ident, others=others)
            case Redo():
                session.redo(client=client, request=ident)
            case GoTo():
                session.goto(request.to, client=client, request=ident)
            case Checkpoint():
                session.checkpoint(request.name)
            case Save():
                session.save()
            case SettleDisk():
                self._settle(client, request)
            case FitPage():
                self._fit_page()
            case CheckAll():
                self._call(self._stop_checks.set if request.stop else self._begin_check_all)
            case _:
                assert_never(request)

    def _settle(self, client: str, request: SettleDisk) -> None:
        """Decide about files that changed on disk; every page hears that it was decided, and how."""

        def tell(take: Take | None) -> None:
            self._disk = None
            self._send_all({"type": "settled", "client": client, "take": take})

        try:
            self.session.settle_disk(request.take, client=client, request=request.id)
        except CommandError:
            tell(None)
            raise
        tell(request.take)

    def _fit_page(self) -> None:
        """Refit projection and page, as a build would now; every page gets all places."""
        old = self._live
        self._live = self.kind.refit(old)
        delta = self.kind.view_delta(old, self._live)
        if "page" in delta:
            self._send_all({"type": "view", "view": delta})

    def _begin_check_all(self) -> None:
        if self._all_checks is None or self._all_checks.done():
            self._all_checks = asyncio.create_task(self.check_all())

    async def _work(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    # --- what the session says

    def _heard(self, event: Event) -> None:
        if event["type"] == "changed":
            self._follow(self.session.document)
            changed: ChangedBoard = {**event, "view": self._delta}
            self._send_all(changed)
            self._call(self._check_again.set)
            return
        if event["type"] == "notice" and self._loop is None:  # said of opening, before there are pages
            self._notices = (*self._notices, event["message"])
        elif event["type"] == "disk":
            self._disk = event
        elif event["type"] == "saved":
            self._disk = None
        self._send_all(event)

    def _emit_fault(self, error: Exception) -> None:
        traceback.print_exception(error)
        self._send_all({"type": "notice", "level": "error", "message": f"{_FAULT} ({error!r:.200})."})

    def _follow(self, document: Document) -> None:
        old = self._live
        self._live = self.kind.compile(document, board_id=self.session.board, evaluator=self._evaluator)
        self._revision = self.session.revision
        self._delta = self.kind.view_delta(old, self._live)

    async def _look(self) -> None:
        """Watch the files for changes by other programs."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                await self._work(self.session.refresh)
            except MapkitError as error:
                self._send_all({"type": "notice", "level": "error", "message": str(error)})
                await asyncio.sleep(10 * _LOOK_EVERY)
            except Exception as error:  # noqa: BLE001 - go on looking
                self._emit_fault(error)
                await asyncio.sleep(10 * _LOOK_EVERY)

    async def _check(self) -> None:
        """Check the board after every edit, or burst of edits."""
        loop = asyncio.get_running_loop()
        while True:
            await self._check_again.wait()
            await asyncio.sleep(CHECK_AFTER)
            self._check_again.clear()
            asked = self._moment()
            try:
                found = await loop.run_in_executor(self._readers, self.kind.findings, asked.live)
            except Exception as error:  # noqa: BLE001 - the next edit is checked all the same
                self._emit_fault(error)
                continue
            self._findings = found
            self._send_found(found, asked.revision, drawing=False)

    async def check_all(self) -> None:
        """Run every check, also of the drawing, and send all pages the findings; it takes as long as a build."""
        asked = self._moment()
        self._stop_checks.clear()

        def progress(done: int, of: int, what: str) -> None:
            check_cancelled()
            self._send_all({"type": "checking", "done": done, "of": of, "what": what})

        def run() -> AnyFindings:
            with cancel_when(self._stop_checks.is_set):
                return self.kind.all_findings(asked.live, progress)

        try:
            found = await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except CancelledError:
            self._send_all({"type": "checking", "done": 0, "of": 0, "what": ""})
            return
        except Exception as error:  # noqa: BLE001 - the pages wait for an end, whatever it is
            text = f"the checks broke off: {type(error).__name__}: {error}"
            self._send_all({"type": "checking", "done": 0, "of": 0, "what": ""})
            self._send_all({"type": "notice", "level": "error", "message": text})
            return
        self._send_found(found, asked.revision, drawing=True)

    def _send_found(self, found: AnyFindings, revision: int, *, drawing: bool) -> None:
        checked: Checked = {"type": "findings", "revision": revision, "drawing": drawing, **found.as_json()}
        self._send_all(checked)

    # --- questions

    def asked(self) -> Any:  # noqa: ANN401 - as the kind likes it
        """Return an immutable snapshot of the board for queries of its kind."""
        return self.kind.asked(self._moment())

    def _moment(self) -> BoardSnapshot[Any]:
        session = self.session
        return BoardSnapshot(
            revision=self._revision,
            live=self._live,
            folder=session.folder,
            document_at=lambda moment: session.saved_document if moment == "saved" else session.document_at(moment),
        )

    async def ask(self, name: str, body: bytes, *, stopped: Callable[[], bool] = lambda: False) -> EncodedResult:
        """Answer a question on the board as it is now.

        Args:
            name: Which.
            body: Its fields as JSON.
            stopped: Returns whether nobody waits for the answer any more.

        Raises:
            MapkitError: There is no such question, or its fields are wrong.
            CancelledError: Nobody waits any more.
        """
        asked = self.asked()

        def answer() -> EncodedResult:
            with cancel_when(stopped):
                return self.kind.answer(name, body, asked)

        return await asyncio.get_running_loop().run_in_executor(self._readers, answer)

    def pictures(self) -> Pictures:
        """Return this board's background pictures.

        Raises:
            PictureError: The board has no folder that they could be kept beside.
        """
        folder = self.session.folder
        if folder is None:
            raise PictureError("this board has no folder that pictures could be kept beside")
        return Pictures(folder.with_name(f"{folder.name}.editor") / "pictures")

    def write_picture(self, ident: str, file: Path) -> None:
        """Write one of them into a file, whole, as PNG."""
        self.pictures().write(ident, file)
