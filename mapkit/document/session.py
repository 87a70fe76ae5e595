"""One open board: the document, its history and journal, and who hears of changes.

```python
session = Session.open(folder, package)   # Session(document, package) for one that lives in memory only
unsubscribe = session.subscribe(print)    # events as the wire has them
session.do({"kind": "move-city", "id": "miami", "lon": -80.2, "lat": 25.8}, client="page 1", seen=0)
session.undo(client="page 1")
session.refresh()                         # now and then: steps of other processes, files changed on disk
session.save()
```

All methods may be called from any thread; one at a time is at work. Events come in order, in the thread that caused
them, while the session is locked: a listener hands them on (`loop.call_soon_threadsafe`) and returns. A step is on
disk before the document changes and anybody is notified.

What events there are is in `mapkit.document.events`; what a page is to draw again, the live part adds.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self

from mapkit.core.characters import find_in_data, refuse_characters
from mapkit.core.errors import OutputError, SourceError, WorkspaceError
from mapkit.core.output import write_files
from mapkit.document.changes import (
    Conflict,
    Patch,
    apply,
    compose,
    difference,
    patch_json,
    patch_of,
    row_json,
    same_rows,
    wire_changes,
    with_origins,
)
from mapkit.document.command import Command, CommandError
from mapkit.document.disk import Merge, Take, merge
from mapkit.document.document import D, Row, Setting, tables_json
from mapkit.document.events import Event, Opened
from mapkit.document.history import History, HistoryStep, ListedHistory
from mapkit.document.journal import VERSION, Entry, Journal, JournalError, journal_path, pack_files, unpack_files
from mapkit.document.package import Files, Package, file_hash
from mapkit.document.toml_file import CONFIG_FILE

Listener = Callable[[Event], None]
Request = str | int | None
Stamps = dict[str, tuple[int, int]]
"""Size and time of change of each file."""


class ConflictError(CommandError):
    """Somebody else has changed the same rows to something else since the client looked, here or on disk."""

    def __init__(self, message: str, conflicts: tuple[Conflict, ...]) -> None:
        self.conflicts = conflicts
        super().__init__(message)


@dataclass(frozen=True)
class Done:
    """What a request changed: the new revision and step, the label, and the changed rows."""

    revision: int
    position: int
    label: str
    patch: Patch


@dataclass(frozen=True)
class _Applied:
    """A revision: who changed what."""

    client: str
    patch: Patch


class Session(Generic[D]):
    """An open board.

    Args:
        document: What it begins with.
        package: How documents of its kind lie in files.
        board: The board's id.
        folder: The source package; None for a board in memory, which has no journal and cannot be saved.
        files: The files that the document was read from.
    """

    def __init__(
        self,
        document: D,
        package: Package[D],
        *,
        board: str = "board",
        folder: Path | None = None,
        files: Files | None = None,
    ) -> None:
        self.package = package
        self.board = board
        self.folder = folder
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._unheard: list[Event] = []
        self._journal = Journal(journal_path(folder)) if folder is not None else None
        self._unreadable: JournalError | None = None
        self._start(document, files or {})

    def _start(self, document: D, files: Files) -> None:
        self._files = self._base_files = dict(files)
        self._document = self._on_disk = document
        self._hashes = {name: file_hash(data) for name, data in files.items()}
        self._history = History()
        self._applied: list[_Applied] = []
        self._requests: set[tuple[str, str]] = set()
        self._disk_hashes = self._hashes
        self._stamps: Stamps | None = None
        self._read_stamps: Stamps | None = None
        self._reported_hashes: dict[str, str] | None = None

    @classmethod
    def open(cls, folder: Path, package: Package[D]) -> Self:
        """Open a source package, with what its journal knows beyond the files.

        Raises:
            SourceError: Its files are wrong.
            WorkspaceError: It is missing.
            JournalError: The journal cannot be used.
        """
        files = package.read_files(folder)
        session = cls(package.document_of(files), package, board=folder.resolve().name, folder=folder, files=files)
        if session._journal is not None and session._journal.exists:
            try:
                with session._turn():
                    pass
            except OutputError as error:
                session._read_news(repair=False)
                session._emit({"type": "notice", "level": "error", "message": str(error)})
        return session

    @property
    def document(self) -> D:
        """Return the document as it is now; it never changes itself."""
        return self._document

    @property
    def revision(self) -> int:
        """Return how often the document has changed since the journal began."""
        return len(self._applied)

    @property
    def position(self) -> int:
        """Return the step that one stands on; 0 is the start."""
        return self._history.position

    @property
    def saved_document(self) -> D:
        """Return what the files say."""
        return self._on_disk

    @property
    def waiting(self) -> bool:
        """Return whether a step waits for another program that writes to the journal."""
        return self._journal is not None and self._journal.waiting

    @property
    def unsaved(self) -> bool:
        """Return whether there are changes that the files do not have."""
        return self._document != self._on_disk

    def unsaved_changes(self) -> Patch:
        """Return what `save` would bring into the files."""
        with self._lock:
            return difference(self._on_disk, self._document)

    def snapshot(self) -> tuple[int, D]:
        """Return `(revision, document)` that belong together."""
        with self._lock:
            return self.revision, self._document

    def document_at(self, n: int) -> D:
        """Return the document of a step; 0 is the start.

        Raises:
            CommandError: There is no such step.
        """
        with self._lock:
            self._need_step(n)
            return apply(self._document, self._history.between(self.position, n))

    def history(self) -> ListedHistory:
        """Return the list of steps."""
        with self._lock:
            return self._history.listed()

    def opened(self) -> Opened:
        """Return what a page needs to begin, without what is drawn and found."""
        with self._lock:
            title = self._document.get("settings", "title")
            return {
                "revision": self.revision,
                "position": self.position,
                "board": self.board,
                "title": str(title.value) if isinstance(title, Setting) else self.board,
                "tables": tables_json(self._document),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
            }

    def has_done(self, client: str, request: str) -> bool:
        """Return whether a request of a client is among the steps, also if it was done before this session began."""
        with self._lock:
            return (client, request) in self._requests

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a function called with every event, first with what was to be said before; return what ends that."""
        with self._lock:
            self._listeners.append(listener)
            unheard, self._unheard = self._unheard, []
            for event in unheard:
                listener(event)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def do(
        self,
        command: Command | dict[str, Any],
        *,
        client: str = "",
        seen: int | None = None,
        force: bool = False,
        request: Request = None,
    ) -> Done:
        """Do a command: one step.

        Args:
            command: It, or its JSON.
            client: Who asks; changes of the same client are never in conflict.
            seen: The revision that the client saw; None for the newest.
            force: Do it though others have changed the same rows.
            request: Comes back as `id` in the event; a text is known again after a restart (`has_done`).

        Raises:
            CommandError: It does not fit; nothing was changed.
            ConflictError: Others have changed the same rows to something else.
            OutputError: The journal cannot be written; nothing was changed.
        """
        made = command if isinstance(command, Command) else self.package.commands.read(command)
        with self._turn():
            plan = made.plan(self._document)
            if not force and seen is not None:
                self._refuse_conflicts(plan.patch, client, seen)
            if not plan.patch:
                return Done(self.revision, self.position, plan.label, ())
            step = self._step(plan.label, plan.patch, client, made.model_dump(mode="json"))
            self._write(_step_entry(step) | _asked(request))
            self._history.add(step)
            return self._changed(plan.patch, plan.label, client, request)

    def undo(self, *, client: str = "", request: Request = None) -> Done:
        """Go back one step.

        Raises:
            CommandError: There is nothing to undo.
            OutputError: As for `do`.
        """
        with self._turn():
            target = self._history.undo_target()
            if target is None:
                raise CommandError("there is nothing to undo")
            return self._go(target, f"Undo: {self._history.steps[self.position].label}", client, request)

    def redo(self, *, client: str = "", request: Request = None) -> Done:
        """Go forward one step, along the branch that one was on last.

        Raises:
            CommandError: There is nothing to redo.
            OutputError: As for `do`.
        """
        with self._turn():
            target = self._history.redo_target()
            if target is None:
                raise CommandError("there is nothing to redo")
            return self._go(target, f"Redo: {self._history.steps[target].label}", client, request)

    def goto(self, to: int, *, client: str = "", request: Request = None) -> Done:
        """Go to any step, also of another branch; 0 is the start.

        Raises:
            CommandError: There is no such step.
            OutputError: As for `do`.
        """
        with self._turn():
            self._need_step(to)
            label = self._history.steps[to].label if to else "the start"
            return self._go(to, f"Go to: {label}", client, request)

    def checkpoint(self, name: str) -> None:
        """Give the present step a name.

        Raises:
            CommandError: The name is empty.
            OutputError: As for `do`.
        """
        with self._turn():
            if not name.strip():
                raise CommandError("a checkpoint needs a name")
            entry = {"kind": "checkpoint", "n": self.position, "name": name.strip()[:200]}
            self._write(entry)
            self._take_checkpoint(entry)

    def save(self) -> tuple[str, ...]:
        """Write the files that changed, all or none, and return their names.

        Raises:
            CommandError: The board lives in memory only.
            ConflictError: The files changed on disk, to something else than here; see `settle_disk`.
            OutputError: They cannot be written; nothing was changed.
        """
        folder = self.folder
        if folder is None:
            raise CommandError("this board has no folder to be saved to")
        with self._turn():
            merged = self._disk_change()
            if merged is not None and merged.conflicts:
                raise ConflictError(
                    "the files changed on disk in the same rows as here; choose which to keep, then save again",
                    merged.conflicts,
                )
            if merged is not None:
                names = self._changed_files()
                self._take_disk(merged.patch, merged.document, f"Changes on disk: {', '.join(names)}", "disk", None)
            plan = self.package.plan_files(self._document, self._on_disk, self._files)
            if plan.write or plan.remove:
                write_files(folder, plan.write, remove=plan.remove)
            files = {name: data for name, data in (self._files | plan.write).items() if name not in plan.remove}
            hashes = {name: file_hash(data) for name, data in files.items()}
            written = tuple(sorted({*plan.write, *plan.remove}))
            entry = {"kind": "save", "n": self.position, "hashes": hashes}
            if written or self._history.saved != self.position:
                self._write(entry)
            self._files = files
            self._take_save(entry)
            if written:
                read = self.package.document_of(files)  # rows have moved
                self._on_disk = with_origins(self._on_disk, read)
                self._document = with_origins(self._document, read)
            self._stamps = self._stamps_now(folder)
            self._emit(
                {
                    "type": "saved",
                    "revision": self.revision,
                    "files": list(written),
                    "history": self._history.listed(),
                    "unsaved": self.unsaved,
                }
            )
            return written

    def refresh(self) -> None:
        """Take in what other processes did, and changes of the files on disk.

        Cheap if nothing happened. Changes on disk of rows that are not changed here become a step; others are reported
        by an event `disk`, and `settle_disk` decides. Files that cannot be read cause one `notice`.

        Raises:
            JournalError: The journal was removed or shortened.
            OutputError: The folder may not be written to.
        """
        if self.folder is None or self._journal is None:
            return
        if self._journal.stale() or self._disk_moved():
            with self._turn():
                pass

    def settle_disk(self, take: Take, *, client: str = "", request: Request = None) -> Done:
        """Decide about rows that were changed both here and on disk.

        Args:
            take: `disk` to take the files' rows, one step that can be undone; `mine` to keep the document's, which
                the next `save` writes.
            client: Who decides.
            request: Comes back as `id` in the event.

        Raises:
            CommandError: There is nothing to decide.
            OutputError: As for `do`.
        """
        with self._turn():
            merged = self._disk_change()
            if merged is None or not merged.conflicts:
                raise CommandError("this was decided already, or the files are as they were; nothing was changed")
            names = ", ".join(self._changed_files())
            if take == "mine":
                return self._take_disk(merged.patch, merged.document, f"Keep mine against {names}", client, request)
            patch = compose([merged.patch, merged.theirs])
            return self._take_disk(patch, merged.document, f"Take from disk: {names}", client, request)

    # --- turns: the lock, the news of others, the files

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self._journal is None:
                yield
                return
            with self._journal.locked():
                self._read_news()
                self._look_at_disk()
                yield

    def _read_news(self, *, repair: bool = True) -> None:
        journal = self._journal
        if journal is None:
            return
        if self._unreadable is not None:  # steps of others are missing here: none may be added
            raise self._unreadable
        begun = not journal.empty
        entries = journal.news(repair=repair)
        for notice in journal.notices:
            self._emit({"type": "notice", "level": "warning", "message": notice})
        journal.notices.clear()
        before, replaced = self._document, False
        try:
            for number, entry in enumerate(entries):
                if not begun and number == 0:
                    replaced = self._replay_base(entry)
                else:
                    self._take(entry, quiet=replaced)
        except JournalError as error:
            self._unreadable = error
            raise
        if replaced and before != self._document:
            self._announce(difference(before, self._document), "Read from the journal", "", None)

    def _replay_base(self, entry: Entry) -> bool:
        """Begin with the journal's files; return whether these are others than the session began with."""
        if entry["kind"] != "base" or entry.get("version") != VERSION:
            raise JournalError(f"{self.board}: the journal is of another version of mapkit; move it away")
        files, now = unpack_files(str(entry.get("files")), board=self.board), self._files
        if files == self._base_files and not self._applied:
            return False
        try:
            if CONFIG_FILE not in files:
                raise KeyError(CONFIG_FILE)  # noqa: TRY301 - reported below, with all that is not a board
            for name, data in files.items():
                if isinstance(data, str):
                    refuse_characters(data, file=name)
            self._start(self.package.document_of(files), files)
        except (SourceError, KeyError, RecursionError) as error:
            raise JournalError(f"{self.board}: the journal's first board cannot be read; move it away") from error
        self._files = now
        return True

    def _take(self, entry: Entry, *, quiet: bool) -> None:
        """Take in an entry of the journal."""
        try:
            kind = entry["kind"]
            if find_in_data(entry) is not None:
                raise ValueError(kind)  # noqa: TRY301 - reported below, with all that makes no sense
            self._note(entry)
            if kind == "do":
                step = HistoryStep(
                    n=entry["n"],
                    parent=entry["parent"],
                    label=_text(entry["label"]),
                    patch=self._replayed(entry["patch"]),
                    client=_text(entry["client"]),
                    command=entry["command"],
                )
                if type(step.n) is not int or step.n < 1 or step.n in self._history.steps:
                    raise ValueError(step.n)  # noqa: TRY301 - reported below, with all that makes no sense
                self._known_step(step.parent)
                self._history.add(step)
                self._changed(step.patch, step.label, step.client, None, quiet=quiet)
                if entry.get("disk"):
                    self._take_seen(entry["disk"])
            elif kind == "goto":
                self._known_step(entry["to"])
                patch = self._history.between(self.position, entry["to"])
                self._history.stand(entry["to"])
                self._changed(patch, _text(entry["label"]), _text(entry["client"]), None, quiet=quiet)
            elif kind == "checkpoint":
                self._take_checkpoint(entry, quiet=quiet)
            elif kind == "save":
                self._take_save(entry)
            elif kind == "seen":
                self._take_seen(entry)
            else:
                raise JournalError(f"{self.board}: the journal is of another version of mapkit; move it away")
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise JournalError(
                f"{self.board}: an entry of the journal cannot be understood; move the journal away"
            ) from error

    def _replayed(self, patch: Any) -> Patch:  # noqa: ANN401 - any JSON
        return self.package.replayed(self._document, patch_of(patch, self._document.schema))

    def _known_step(self, n: object) -> None:
        """Refuse what is not a step of the history.

        Raises:
            ValueError: It is not valid.
        """
        if type(n) is not int or (n and n not in self._history.steps):
            raise ValueError(n)

    def _take_checkpoint(self, entry: Entry, *, quiet: bool = False) -> None:
        self._known_step(entry["n"])
        names = self._history.checkpoints.setdefault(entry["n"], [])
        if _text(entry["name"]) not in names:
            names.append(entry["name"])
        if not quiet:
            self._emit({"type": "checkpoint", "revision": self.revision, "history": self._history.listed()})

    def _take_save(self, entry: Entry) -> None:
        self._known_step(entry["n"])
        self._history.saved = entry["n"]
        self._on_disk = apply(self._document, self._history.between(self.position, entry["n"]))
        self._hashes = dict(entry["hashes"])

    def _take_seen(self, entry: Entry) -> None:
        self._on_disk = apply(self._document, self._replayed(entry["patch"]))
        self._hashes = dict(entry["hashes"])
        if self._on_disk == self._document:
            self._history.saved = self.position

    # --- the files on disk

    def _disk_moved(self) -> bool:
        """Return whether files have other sizes or times than when they were read last."""
        return self.folder is not None and self._stamps_now(self.folder) != self._stamps

    def _stamps_now(self, folder: Path) -> Stamps:
        """Return sizes and times of the files of the source package."""
        out: Stamps = {}
        for pattern in self.package.patterns:
            for path in folder.glob(pattern):
                try:
                    stat = path.stat()
                except OSError:
                    continue
                out[path.relative_to(folder).as_posix()] = (stat.st_size, stat.st_mtime_ns)
        return out

    def _changed_files(self) -> list[str]:
        return sorted(
            name
            for name in {*self._hashes, *self._disk_hashes}
            if self._hashes.get(name) != self._disk_hashes.get(name)
        )

    def _look_at_disk(self) -> None:
        """Take in files that changed, where that is in nobody's way; report the rest."""
        if self.folder is None or not self._disk_moved():
            return
        try:
            merged = self._disk_change()
        except (SourceError, WorkspaceError) as error:
            self._emit_once({}, {"type": "notice", "level": "error", "message": f"A file changed on disk: {error}"})
            return
        if merged is None:
            return
        names = self._changed_files()
        if merged.conflicts:
            conflicts = [one.shown() for one in merged.conflicts]
            self._emit_once(self._disk_hashes, {"type": "disk", "files": names, "conflicts": conflicts})
            return
        self._take_disk(merged.patch, merged.document, f"Changes on disk: {', '.join(names)}", "disk", None)

    def _emit_once(self, hashes: dict[str, str], event: Event) -> None:
        if self._reported_hashes != hashes:
            self._reported_hashes = hashes
            self._emit(event)

    def _disk_change(self) -> Merge[D] | None:
        """Return what changed in the files since they were read or written last; None if nothing did."""
        if self.folder is None:
            return None
        self._read_stamps = self._stamps_now(self.folder)
        files = self.package.read_files(self.folder)
        self._disk_hashes = {name: file_hash(data) for name, data in files.items()}
        if self._disk_hashes == self._hashes:
            self._files, self._stamps = files, self._read_stamps
            return None
        merged = merge(self._on_disk, self._document, self.package.document_of(files))
        self._files = files
        return merged

    def _take_disk(self, patch: Patch, disk: D, label: str, client: str, request: Request) -> Done:
        after = apply(self._document, patch)
        seen: Entry = {
            "kind": "seen",
            "n": self.position,
            "hashes": self._disk_hashes,
            "patch": patch_json(difference(after, disk)),
        }
        if not patch:
            self._write(seen)
            self._take_seen(seen)
            self._stamps = self._read_stamps
            return Done(self.revision, self.position, label, ())
        step = self._step(label, patch, client, None)
        self._write(_step_entry(step) | {"disk": seen} | _asked(request))
        self._history.add(step)
        self._document = after
        self._take_seen(seen)
        self._stamps = self._read_stamps
        return self._changed(patch, label, client, request)

    # --- changes

    def _need_step(self, n: int) -> None:
        if n and n not in self._history.steps:
            raise CommandError(f"there is no step {n}; the newest is {self._history.next_number - 1}")

    def _step(self, label: str, patch: Patch, client: str, command: Any) -> HistoryStep:  # noqa: ANN401 - any JSON
        return HistoryStep(
            n=self._history.next_number,
            parent=self.position,
            label=label,
            patch=patch,
            client=client,
            command=command,
        )

    def _write(self, entry: Entry) -> None:
        """Have an entry on disk, after the base if it is the first."""
        if self._journal is not None:
            base: list[Entry] = []
            if self._journal.empty:
                files = pack_files(self._base_files)
                base = [{"kind": "base", "version": VERSION, "board": self.board, "files": files}]
            self._journal.append(*base, entry)
        self._note(entry)

    def _note(self, entry: Entry) -> None:
        """Remember whose request became this entry."""
        if "request" in entry:
            self._requests.add((_text(entry["client"]), _text(entry["request"])))

    def _go(self, to: int, label: str, client: str, request: Request) -> Done:
        patch = self._history.between(self.position, to)
        self._write({"kind": "goto", "to": to, "label": label, "client": client} | _asked(request))
        self._history.stand(to)
        return self._changed(patch, label, client, request)

    def _changed(self, patch: Patch, label: str, client: str, request: Request, *, quiet: bool = False) -> Done:
        after = apply(self._document, patch)
        # what is again as in the files comes from there again
        self._document = with_origins(after, self._on_disk, [change.at for change in patch])
        self._applied.append(_Applied(client, patch))
        if not quiet:
            self._announce(patch, label, client, request)
        return Done(self.revision, self.position, label, patch)

    def _announce(self, patch: Patch, label: str, client: str, request: Request) -> None:
        if not self._listeners:
            return
        self._emit(
            {
                "type": "changed",
                "revision": self.revision,
                "position": self.position,
                "client": client,
                "id": request,
                "label": label,
                "changes": wire_changes(patch, self._document.schema),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
            }
        )

    def _refuse_conflicts(self, patch: Patch, client: str, seen: int) -> None:
        """Refuse to overwrite what others have done since.

        Raises:
            ConflictError: A row was changed by others since, to something else.
        """
        first: dict[tuple[str, str], Row | None] = {}
        for one in self._applied[max(seen, 0) :]:
            if one.client != client:
                for change in one.patch:
                    first.setdefault(change.at, change.before)
        found = [
            Conflict(table=c.table, key=c.key, mine=row_json(c.after), theirs=row_json(c.before))
            for c in patch
            if c.at in first and not same_rows(first[c.at], c.before) and not same_rows(c.after, c.before)
        ]
        if found:
            what = f"{found[0].key} and {len(found) - 1} more" if len(found) > 1 else found[0].key
            raise ConflictError(
                f"somebody else has changed {what} in the meantime; look at it, then repeat the step or drop it",
                tuple(found),
            )

    def _emit(self, event: Event) -> None:
        if not self._listeners and event["type"] in ("notice", "disk"):  # opening finds damage and changed files
            self._unheard.append(event)
        for listener in list(self._listeners):
            listener(event)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _asked(request: Request) -> Entry:
    """Return what the journal says of a request, so that it is not done again after a restart."""
    return {"request": request} if isinstance(request, str) and request else {}


def _step_entry(step: HistoryStep) -> Entry:
    return {
        "kind": "do",
        "n": step.n,
        "parent": step.parent,
        "label": step.label,
        "client": step.client,
        "command": step.command,
        "patch": patch_json(step.patch),
    }
