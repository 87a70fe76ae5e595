"""An open board: its document, history, journal and listeners.

```python
session = Session.open(folder, package)   # Session(document, package) for one that lives in memory only
unsubscribe = session.subscribe(print)    # events as the wire has them
session.do({"kind": "edit-city", "id": "miami", "lon": -80.2, "lat": 25.8}, client="page 1", seen=0)
session.undo(client="page 1")
session.refresh()                         # now and then: steps of other processes, files changed on disk
session.save()
```

All methods are thread-safe: one call runs at a time. Events arrive in order, in the thread that caused them, while the
session is locked, so a listener should only forward them (`loop.call_soon_threadsafe`). A step is on disk before the
document changes and listeners are notified.

`mapkit.document.events` lists the events; the live part of a kind adds the elements that a page has to redraw.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, Self

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.garbage import gc_paused
from mapkit.core.output import write_files
from mapkit.document.changes import (
    Change,
    Conflict,
    Patch,
    apply,
    compose,
    copy_origins,
    difference,
    invert,
    patch_from_json,
    patch_json,
    rebase_patch,
    row_json,
    same_rows,
    wire_changes,
)
from mapkit.document.command import Command, CommandError
from mapkit.document.disk import Merge, Take, merge
from mapkit.document.document import D, Row, Setting, tables_json
from mapkit.document.events import Event, Opened
from mapkit.document.history import History, HistoryStep, ListedHistory
from mapkit.document.journal import (
    FORBIDDEN,
    GAP,
    VERSION,
    Damage,
    Entry,
    Journal,
    JournalError,
    journal_path,
    pack_files,
    unpack_files,
)
from mapkit.document.package import Files, Package, file_hash
from mapkit.document.toml_file import CONFIG_FILE

_SENSELESS: Final = (KeyError, ValueError, TypeError, AttributeError, RecursionError)
"""Errors of an entry of the journal that makes no sense."""
Listener = Callable[[Event], None]
Request = str | int | None
Stamps = dict[str, tuple[int, int]]
"""Size and time of change of each file."""


class ConflictError(CommandError):
    """Another client changed the same rows differently since this client's revision, here or on disk."""

    def __init__(self, message: str, conflicts: tuple[Conflict, ...]) -> None:
        self.conflicts = conflicts
        super().__init__(message)


@dataclass(frozen=True)
class Done:
    """Result of a request: the new revision and step, the label, and the changed rows."""

    revision: int
    position: int
    label: str
    patch: Patch


@dataclass(frozen=True)
class _AppliedPatch:
    """A revision, with its author and changes."""

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
        self._notice_listeners: list[Listener] = []
        self._unsent_events: list[Event] = []
        self._journal = Journal(journal_path(folder)) if folder is not None else None
        self._unreadable: JournalError | None = None
        self._begin_with(document, files or {})

    def _begin_with(self, document: D, files: Files) -> None:
        self._files = self._base_files = dict(files)
        self._current_document = self._on_disk = document
        self._hashes = {name: file_hash(data) for name, data in files.items()}
        self._history = History()
        self._gap_count = 0
        self._applied_patches: list[_AppliedPatch] = []
        self._requests: set[tuple[str, str]] = set()
        self._disk_hashes = self._hashes
        self._stamps: Stamps | None = None
        self._read_stamps: Stamps | None = None
        self._reported_hashes: dict[str, str] | None = None

    @classmethod
    def open(cls, folder: Path, package: Package[D]) -> Self:
        """Open a source package, and replay its journal; nothing is written.

        Files that changed on disk are merged by the next step or `refresh`.

        Raises:
            SourceError: Its files are wrong.
            WorkspaceError: It is missing.
            JournalError: The journal cannot be used.
        """
        files = package.read_files(folder)
        session = cls(package.document_of(files), package, board=folder.resolve().name, folder=folder, files=files)
        session._replay_news(repair=False)
        if session._journal is not None and not session._journal.empty:
            session._merge_from_disk(writing=False)
        return session

    @property
    def document(self) -> D:
        """The document in its current state; it is immutable."""
        return self._current_document

    @property
    def revision(self) -> int:
        """Number of changes of the document since the journal began."""
        return len(self._applied_patches)

    @property
    def position(self) -> int:
        """The current step; 0 is the start."""
        return self._history.position

    @property
    def saved_document(self) -> D:
        """The document in the files."""
        return self._on_disk

    @property
    def waiting(self) -> bool:
        """Whether a step waits for another program that writes to the journal."""
        return self._journal is not None and self._journal.waiting

    @property
    def unsaved(self) -> bool:
        """Whether there are changes that are not in the files."""
        return self._current_document != self._on_disk

    def unsaved_changes(self) -> Patch:
        """Return the changes that `save` would write to the files."""
        with self._lock:
            return difference(self._on_disk, self._current_document)

    def document_at(self, n: int) -> D:
        """Return the document of a step; 0 is the start.

        Raises:
            CommandError: There is no such step.
        """
        with self._lock:
            self._refuse_missing_step(n)
            return apply(self._current_document, self._history.between(self.position, n))

    def history(self) -> ListedHistory:
        """Return the list of steps."""
        with self._lock:
            return self._history.listed()

    def opened(self) -> Opened:
        """Return the initial state for a page, without drawing and findings."""
        with self._lock:
            title = self._current_document.get("settings", "title")
            return {
                "revision": self.revision,
                "position": self.position,
                "board": self.board,
                "title": str(title.value) if isinstance(title, Setting) else self.board,
                "tables": tables_json(self._current_document),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
            }

    def has_done(self, client: str, request: str) -> bool:
        """Return whether a request of a client is among the steps, even if from before this session."""
        with self._lock:
            return (client, request) in self._requests

    def subscribe(self, listener: Listener, *, notices_only: bool = False) -> Callable[[], None]:
        """Call a function with every event, first with undelivered ones; return the function that unsubscribes it.

        Args:
            listener: The function.
            notices_only: Call it with `notice` and `disk` alone; the history, which other events hold, is not listed.
        """
        listeners = self._notice_listeners if notices_only else self._listeners
        with self._lock:
            listeners.append(listener)
            unsent_events, self._unsent_events = self._unsent_events, []
            for event in unsent_events:
                listener(event)

        def end() -> None:
            with self._lock:
                if listener in listeners:
                    listeners.remove(listener)

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
        """Do a command as one step.

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
        validated_command = command if isinstance(command, Command) else self.package.commands.read(command)
        with self._locked_turn():
            plan = validated_command.plan(self._current_document)
            if not force and seen is not None:
                self._refuse_conflicts(plan.patch, client, seen)
            if not plan.patch:
                return Done(self.revision, self.position, plan.label, ())
            step = self._new_step(plan.label, plan.patch, client, validated_command.model_dump(mode="json"))
            self._write_entry(_step_entry(step) | _request_entry(request))
            self._history.add(step)
            return self._apply_patch(plan.patch, plan.label, client, request)

    def undo(self, *, client: str = "", request: Request = None, others: Collection[str] = ()) -> Done:
        """Go back one step.

        Args:
            client: Who asks.
            request: Its request.
            others: Clients at work beside it, whose steps are not undone.

        Raises:
            CommandError: There is nothing to undo, or the step is another client's.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            target_step = self._history.undo_target()
            if target_step is None:
                raise CommandError("there is nothing to undo")
            last_step = self._history.steps[self.position]
            if last_step.client in others:
                raise CommandError(
                    f"the last step, {last_step.label!r}, was made in another window; undo it there, or choose the "
                    "step to go back to in History"
                )
            return self._move_to(target_step, f"Undo: {last_step.label}", client, request)

    def redo(self, *, client: str = "", request: Request = None) -> Done:
        """Go forward one step, along the most recent branch.

        Raises:
            CommandError: There is nothing to redo.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            target_step = self._history.redo_target()
            if target_step is None:
                raise CommandError("there is nothing to redo")
            return self._move_to(target_step, f"Redo: {self._history.steps[target_step].label}", client, request)

    def goto(self, to: int, *, client: str = "", request: Request = None) -> Done:
        """Go to any step, also of another branch; 0 is the start.

        Raises:
            CommandError: There is no such step.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            self._refuse_missing_step(to)
            label = self._history.steps[to].label if to else "the start"
            return self._move_to(to, f"Go to: {label}", client, request)

    def checkpoint(self, name: str) -> None:
        """Name the current step.

        Raises:
            CommandError: The name is empty.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            if not name.strip():
                raise CommandError("a checkpoint needs a name")
            entry = {"kind": "checkpoint", "n": self.position, "name": name.strip()[:200]}
            self._write_entry(entry)
            self._apply_checkpoint(entry)

    def save(self) -> tuple[str, ...]:
        """Write the changed files, all or none, and return their names.

        Raises:
            CommandError: The board lives in memory only.
            ConflictError: The files changed on disk, to something else than here; see `settle_disk`.
            OutputError: They cannot be written; nothing was changed.
        """
        folder = self.folder
        if folder is None:
            raise CommandError("this board has no folder to be saved to")
        with self._locked_turn():
            disk_merge = self._merge_disk()
            if disk_merge is not None and disk_merge.conflicts:
                raise ConflictError(
                    "the files changed on disk in the same rows as here; choose which to keep, then save again",
                    disk_merge.conflicts,
                )
            if disk_merge is not None:
                changed_names = self._changed_files()
                self._apply_disk(
                    disk_merge.patch, disk_merge.document, f"Changes on disk: {', '.join(changed_names)}", "disk", None
                )
            save_plan = self.package.plan_files(self._current_document, self._on_disk, self._files)
            if save_plan.write or save_plan.remove:
                write_files(folder, save_plan.write, remove=save_plan.remove)
            saved_files = {
                name: data for name, data in (self._files | save_plan.write).items() if name not in save_plan.remove
            }
            file_hashes = {name: file_hash(data) for name, data in saved_files.items()}
            written_files = tuple(sorted({*save_plan.write, *save_plan.remove}))
            save_entry = {"kind": "save", "n": self.position, "hashes": file_hashes} | self._gap_entry()
            if written_files or self._history.saved != self.position:
                self._write_entry(save_entry)
            self._files = saved_files
            self._apply_save(save_entry)
            if written_files:
                saved_document = self.package.document_of(saved_files)  # rows have moved
                self._on_disk = copy_origins(self._on_disk, saved_document)
                self._current_document = copy_origins(self._current_document, saved_document)
            self._stamps = self._current_stamps(folder)
            self._send_event(
                {
                    "type": "saved",
                    "revision": self.revision,
                    "files": list(written_files),
                    "history": self._history.listed(),
                    "unsaved": self.unsaved,
                }
            )
            return written_files

    def write_files(
        self, written: Mapping[str, str | bytes], *, remove: Collection[str] = (), label: str, client: str = ""
    ) -> bool:
        """Write files of the source package, and record what they change as one step that is saved.

        Returns:
            Whether it is a step. Where the files contradict unsaved changes the author has to choose, as for any files
            that changed on disk.

        Raises:
            CommandError: The board lives in memory only.
            SourceError: The files that were written are wrong.
            OutputError: They cannot be written; nothing was changed. Or the journal cannot be written.
        """
        if self.folder is None:
            raise CommandError("this board has no folder to be saved to")
        with self._locked_turn():
            write_files(self.folder, written, remove=remove)
            disk_merge = self._merge_disk()
            if disk_merge is None or disk_merge.conflicts:
                return False
            self._apply_disk(disk_merge.patch, disk_merge.document, label, client, None)
            return True

    def compact(self) -> Path:
        """Begin the journal again at the saved board, without its steps; return the path of the old journal.

        Raises:
            CommandError: The board has no journal, or changes that are not saved.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            if self._journal is None or self._journal.empty:
                raise CommandError("this board has no steps that a journal holds")
            if self.unsaved:
                raise CommandError("changes of this board are not saved; save them first")
            hashes = {name: file_hash(data) for name, data in self._files.items()}
            save_entry = {"kind": "save", "n": 0, "hashes": hashes}
            old_path = self._journal.restart(self._base_entry(self._files), save_entry)
            self._begin_with(self._current_document, self._files)
            return old_path

    def refresh(self) -> None:
        """Merge steps of other processes, and changes of the files on disk.

        Cheap if nothing happened. Changes on disk of rows that are not changed here become a step; others are reported
        by an event `disk`, and `settle_disk` decides. Files that cannot be read cause one `notice`.

        Raises:
            JournalError: The journal was removed or shortened.
            OutputError: The folder may not be written to.
        """
        if self.folder is None or self._journal is None:
            return
        if self._journal.stale() or self._has_disk_changed():
            with self._locked_turn():
                pass

    def settle_disk(self, take: Take, *, client: str = "", request: Request = None) -> Done:
        """Resolve rows that were changed both here and on disk.

        Args:
            take: `disk` to take the files' rows, one step that can be undone; `mine` to keep the document's, which
                the next `save` writes.
            client: Who decides.
            request: Comes back as `id` in the event.

        Raises:
            CommandError: There is nothing to decide.
            OutputError: As for `do`.
        """
        with self._locked_turn():
            disk_merge = self._merge_disk()
            if disk_merge is None or not disk_merge.conflicts:
                raise CommandError("this was decided already, or the files are as they were; nothing was changed")
            changed_names = ", ".join(self._changed_files())
            if take == "mine":
                return self._apply_disk(
                    disk_merge.patch, disk_merge.document, f"Keep mine against {changed_names}", client, request
                )
            patch = compose([disk_merge.patch, disk_merge.theirs])
            return self._apply_disk(patch, disk_merge.document, f"Take from disk: {changed_names}", client, request)

    # --- turns: the lock, the news of others, the files

    @contextmanager
    def _locked_turn(self) -> Iterator[None]:
        with self._lock:
            if self._journal is None:
                yield
                return
            with self._journal.locked():
                self._replay_news()
                self._merge_from_disk()
                yield

    def damages(self) -> tuple[Damage, ...]:
        """Return the damaged parts of the journal that no step has repaired yet."""
        return () if self._journal is None else self._journal.damages

    def repair(self) -> None:
        """Repair the journal, as the next step would; raises OutputError as for `do`."""
        if self._journal is not None:
            with self._journal.locked():
                self._replay_news()

    @gc_paused()
    def _replay_news(self, *, repair: bool = True) -> None:
        journal = self._journal
        if journal is None:
            return
        if self._unreadable is not None:  # steps of others are missing here: none may be added
            raise self._unreadable
        has_begun = not journal.empty
        entries = journal.news(repair=repair)
        for notice in journal.notices:
            self._send_event({"type": "notice", "level": "warning", "message": notice})
        journal.notices.clear()
        old_document, replaced = self._current_document, False
        try:
            for number, entry in enumerate(entries):
                if not has_begun and number == 0 and entry["kind"] == GAP:
                    self._gap_count += 1
                    replaced = self._restore_base(entries)
                elif not has_begun and number == 0:
                    replaced = self._replay_base(entry)
                else:
                    self._replay_entry(entry, quiet=replaced)
        except JournalError as error:
            self._unreadable = error
            raise
        if replaced and old_document != self._current_document:
            self._announce(difference(old_document, self._current_document), "Read from the journal", "", None)

    def _replay_base(self, entry: Entry) -> bool:
        """Start with the journal's files; return whether they differ from the session's initial files."""
        if entry["kind"] != "base" or entry.get("version") != VERSION:
            raise JournalError(f"{self.board}: the journal is of another version of mapkit; move it away")
        files, current_files = unpack_files(str(entry.get("files")), board=self.board), self._files
        if files == self._base_files and not self._applied_patches:
            return False
        try:
            if CONFIG_FILE not in files:
                raise KeyError(CONFIG_FILE)  # noqa: TRY301 - reported below, with all that is not a board
            for name, data in files.items():
                if isinstance(data, str):
                    refuse_characters(data, file=name)
            self._begin_with(self.package.document_of(files), files)
        except (SourceError, KeyError, RecursionError) as error:
            raise JournalError(f"{self.board}: the journal's first board cannot be read; move it away") from error
        self._files = current_files
        return True

    def _restore_base(self, entries: list[Entry]) -> bool:
        """Start with the files, and with what the steps say about rows before they changed them.

        Return whether there are steps.
        """
        read_document = self._on_disk
        first_changes: dict[tuple[str, str], Change] = {}
        for entry in entries:
            if entry["kind"] == "do":
                with suppress(*_SENSELESS):
                    for change in self._parse_patch(entry["patch"]):
                        first_changes.setdefault(change.at, change)
        self._begin_with(apply(read_document, invert(tuple(first_changes.values()))), self._files)
        self._on_disk = read_document
        return bool(first_changes)

    def _replay_entry(self, entry: Entry, *, quiet: bool) -> None:
        """Replay an entry of the journal; behind a damaged part, one that no longer applies is passed over.

        Raises:
            JournalError: It makes no sense.
        """
        if entry["kind"] == GAP:
            self._gap_count += 1
            return
        try:
            self._replay_sound_entry(entry, quiet=quiet)
        except _SENSELESS as error:
            if not self._gap_count:
                raise JournalError(
                    f"{self.board}: an entry of the journal cannot be understood; move the journal away"
                ) from error

    def _replay_sound_entry(self, entry: Entry, *, quiet: bool) -> None:
        entry_kind = entry["kind"]
        if entry_kind == FORBIDDEN:
            raise ValueError(entry_kind)
        self._record_request(entry)
        if entry_kind == "do":
            number = entry["n"]
            if type(number) is not int or number <= max(entry["parent"], 0) or number in self._history.steps:
                raise ValueError(number)
            patch = self._parse_patch(entry["patch"])
            if self._gap_count:
                self._recover_parent(entry["n"], entry["parent"], patch)
                patch = rebase_patch(self._current_document, patch)
            step = HistoryStep(
                n=entry["n"],
                parent=entry["parent"],
                label=_require_text(entry["label"]),
                patch=patch,
                client=_require_text(entry["client"]),
                command=entry["command"],
            )
            self._require_step(step.parent)
            self._history.add(step)
            self._apply_patch(step.patch, step.label, step.client, None, quiet=quiet)
            if entry.get("disk"):
                self._apply_seen(entry["disk"])
        elif entry_kind == "goto":
            self._require_step(entry["to"])
            patch = self._history.between(self.position, entry["to"])
            self._history.stand(entry["to"])
            self._apply_patch(patch, _require_text(entry["label"]), _require_text(entry["client"]), None, quiet=quiet)
        elif entry_kind == "checkpoint":
            self._apply_checkpoint(entry, quiet=quiet)
        elif entry_kind == "save":
            self._apply_save(entry)
        elif entry_kind == "seen":
            self._apply_seen(entry)
        else:
            raise JournalError(f"{self.board}: the journal is of another version of mapkit; move it away")

    def _recover_parent(self, n: int, parent: Any, patch: Patch) -> None:  # noqa: ANN401 - any JSON
        """Go to the parent of a step; one that was lost gets what the step says about rows before it."""
        if type(parent) is int and 0 < parent < n and parent not in self._history.steps:
            lost_changes = tuple(
                Change(table=c.table, key=c.key, before=row, after=c.before)
                for c in patch
                if not same_rows(row := self._current_document.get(*c.at), c.before)
            )
            step = HistoryStep(n=parent, parent=self.position, label="Lost by damage", patch=lost_changes)
            self._history.add(step)
            self._apply_patch(lost_changes, step.label, "", None, quiet=True)
        self._require_step(parent)
        if parent != self.position:
            self._apply_patch(self._history.between(self.position, parent), "", "", None, quiet=True)

    def _parse_patch(self, patch: Any) -> Patch:  # noqa: ANN401 - any JSON
        return self.package.replayed(self._current_document, patch_from_json(patch, self._current_document.schema))

    def _require_step(self, n: object) -> None:
        """Raise an error for a number that is not a step of the history.

        Raises:
            ValueError: It is not valid.
        """
        if type(n) is not int or (n and n not in self._history.steps):
            raise ValueError(n)

    def _apply_checkpoint(self, entry: Entry, *, quiet: bool = False) -> None:
        self._require_step(entry["n"])
        step_names = self._history.checkpoints.setdefault(entry["n"], [])
        if _require_text(entry["name"]) not in step_names:
            step_names.append(entry["name"])
        if not quiet:
            self._send_event({"type": "checkpoint", "revision": self.revision, "history": self._history.listed()})

    def _apply_save(self, entry: Entry) -> None:
        self._require_step(entry["n"])
        self._history.saved = entry["n"]
        self._on_disk = apply(self._current_document, self._history.between(self.position, entry["n"]))
        self._hashes = self._known_hashes(entry)

    def _apply_seen(self, entry: Entry) -> None:
        self._on_disk = apply(self._current_document, self._parse_patch(entry["patch"]))
        self._hashes = self._known_hashes(entry)
        if self._on_disk == self._current_document:
            self._history.saved = self.position

    def _known_hashes(self, entry: Entry) -> dict[str, str]:
        """Return the hashes of an entry, or none if the document lacks steps that it had: the files are merged then."""
        return dict(entry["hashes"]) if entry.get("gaps", 0) == self._gap_count else {}

    def _gap_entry(self) -> Entry:
        return {"gaps": self._gap_count} if self._gap_count else {}

    # --- the files on disk

    def _has_disk_changed(self) -> bool:
        """Return whether sizes or times of files have changed since they were last read."""
        return self.folder is not None and self._current_stamps(self.folder) != self._stamps

    def _current_stamps(self, folder: Path) -> Stamps:
        """Return sizes and times of the files of the source package."""
        stamps: Stamps = {}
        for pattern in self.package.patterns:
            for path in folder.glob(pattern):
                try:
                    stat = path.stat()
                except OSError:
                    continue
                stamps[path.relative_to(folder).as_posix()] = (stat.st_size, stat.st_mtime_ns)
        return stamps

    def _changed_files(self) -> list[str]:
        return sorted(
            name
            for name in {*self._hashes, *self._disk_hashes}
            if self._hashes.get(name) != self._disk_hashes.get(name)
        )

    def _merge_from_disk(self, *, writing: bool = True) -> None:
        """Merge changed files without conflicts, if it may be written; report conflicts."""
        if self.folder is None or not self._has_disk_changed():
            return
        try:
            disk_merge = self._merge_disk()
        except (SourceError, WorkspaceError) as error:
            self._send_once({}, {"type": "notice", "level": "error", "message": f"A file changed on disk: {error}"})
            return
        if disk_merge is None:
            return
        changed_names = self._changed_files()
        if disk_merge.conflicts:
            conflicts = [one.shown() for one in disk_merge.conflicts]
            self._send_once(self._disk_hashes, {"type": "disk", "files": changed_names, "conflicts": conflicts})
            return
        if not writing:
            return
        self._apply_disk(
            disk_merge.patch, disk_merge.document, f"Changes on disk: {', '.join(changed_names)}", "disk", None
        )

    def _send_once(self, hashes: dict[str, str], event: Event) -> None:
        if self._reported_hashes != hashes:
            self._reported_hashes = hashes
            self._send_event(event)

    def _merge_disk(self) -> Merge[D] | None:
        """Return the changes of the files since they were last read or written; None if there are none."""
        if self.folder is None:
            return None
        self._read_stamps = self._current_stamps(self.folder)
        files = self.package.read_files(self.folder)
        self._disk_hashes = {name: file_hash(data) for name, data in files.items()}
        if self._disk_hashes == self._hashes:
            self._files, self._stamps = files, self._read_stamps
            return None
        disk_merge = merge(self._on_disk, self._current_document, self.package.document_of(files))
        self._files = files
        return disk_merge

    def _apply_disk(self, patch: Patch, disk: D, label: str, client: str, request: Request) -> Done:
        merged_document = apply(self._current_document, patch)
        seen_entry: Entry = {
            "kind": "seen",
            "n": self.position,
            "hashes": self._disk_hashes,
            "patch": patch_json(difference(merged_document, disk)),
        } | self._gap_entry()
        if not patch:
            self._write_entry(seen_entry)
            self._apply_seen(seen_entry)
            self._stamps = self._read_stamps
            return Done(self.revision, self.position, label, ())
        step = self._new_step(label, patch, client, None)
        self._write_entry(_step_entry(step) | {"disk": seen_entry} | _request_entry(request))
        self._history.add(step)
        self._current_document = merged_document
        self._apply_seen(seen_entry)
        self._stamps = self._read_stamps
        return self._apply_patch(patch, label, client, request)

    # --- changes

    def _refuse_missing_step(self, n: int) -> None:
        if n and n not in self._history.steps:
            raise CommandError(f"there is no step {n}; the newest is {self._history.next_number - 1}")

    def _new_step(self, label: str, patch: Patch, client: str, command: Any) -> HistoryStep:  # noqa: ANN401 - any JSON
        return HistoryStep(
            n=self._history.next_number,
            parent=self.position,
            label=label,
            patch=patch,
            client=client,
            command=command,
        )

    def _write_entry(self, entry: Entry) -> None:
        """Write an entry to disk, after the base if it is the first."""
        if self._journal is not None:
            base_entries: list[Entry] = []
            if self._journal.empty:
                base_entries = [self._base_entry(self._base_files)]
            self._journal.append(*base_entries, entry)
        self._record_request(entry)

    def _base_entry(self, files: Files) -> Entry:
        return {"kind": "base", "version": VERSION, "board": self.board, "files": pack_files(dict(files))}

    def _record_request(self, entry: Entry) -> None:
        """Record the request of this entry."""
        if "request" in entry:
            self._requests.add((_require_text(entry["client"]), _require_text(entry["request"])))

    def _move_to(self, to: int, label: str, client: str, request: Request) -> Done:
        patch = self._history.between(self.position, to)
        self._write_entry({"kind": "goto", "to": to, "label": label, "client": client} | _request_entry(request))
        self._history.stand(to)
        return self._apply_patch(patch, label, client, request)

    def _apply_patch(self, patch: Patch, label: str, client: str, request: Request, *, quiet: bool = False) -> Done:
        new_document = apply(self._current_document, patch)
        # rows that equal those in the files again get their origins back
        self._current_document = copy_origins(new_document, self._on_disk, [change.at for change in patch])
        self._applied_patches.append(_AppliedPatch(client, patch))
        if not quiet:
            self._announce(patch, label, client, request)
        return Done(self.revision, self.position, label, patch)

    def _announce(self, patch: Patch, label: str, client: str, request: Request) -> None:
        if not self._listeners:
            return
        self._send_event(
            {
                "type": "changed",
                "revision": self.revision,
                "position": self.position,
                "client": client,
                "id": request,
                "label": label,
                "changes": wire_changes(patch, self._current_document.schema),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
            }
        )

    def _refuse_conflicts(self, patch: Patch, client: str, seen: int) -> None:
        """Raise an error if a patch would overwrite later changes of other clients.

        Raises:
            ConflictError: A row was changed by others since, to something else.
        """
        first_rows: dict[tuple[str, str], Row | None] = {}
        for applied_patch in self._applied_patches[max(seen, 0) :]:
            if applied_patch.client != client:
                for change in applied_patch.patch:
                    first_rows.setdefault(change.at, change.before)
        conflicts = [
            Conflict(table=c.table, key=c.key, mine=row_json(c.after), theirs=row_json(c.before))
            for c in patch
            if c.at in first_rows and not same_rows(first_rows[c.at], c.before) and not same_rows(c.after, c.before)
        ]
        if conflicts:
            row_text = f"{conflicts[0].key} and {len(conflicts) - 1} more" if len(conflicts) > 1 else conflicts[0].key
            raise ConflictError(
                f"another user has changed {row_text} in the meantime; look at it, then repeat the step or drop it",
                tuple(conflicts),
            )

    def _send_event(self, event: Event) -> None:
        is_notice = event["type"] in ("notice", "disk")
        listeners = [*self._listeners, *(self._notice_listeners if is_notice else ())]
        if is_notice and not listeners:  # opening finds damage and changed files
            self._unsent_events.append(event)
        for listener in listeners:
            listener(event)


def _require_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _request_entry(request: Request) -> Entry:
    """Return the journal's record of a request, so that it is not repeated after a restart."""
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
