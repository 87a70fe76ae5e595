"""One open board: the document, its history, and who is told of changes.

```python
session = Session.open(folder)            # Session(document) for one that lives in memory only
unsubscribe = session.subscribe(print)    # events as the wire has them
session.do({"kind": "move-city", "id": "miami", "lon": -80.2, "lat": 25.8}, client="page 1", seen=0)
session.undo(client="page 1")
session.save()
```

All methods may be called from any thread; one at a time is at work. Events come in order, in the thread that caused
them, while the session is locked: a listener hands them on (`loop.call_soon_threadsafe`) and returns.

Events are `changed {type, revision, position, client, id, label, changes, history, unsaved}`,
`saved {type, revision, files}`, `checkpoint {type, revision, history}`, `disk {type, files, conflicts}` and
`notice {type, level, message}`; `changed` lacks `view` and `findings`, which the live part adds.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from mapkit.editor.changes import Conflict, Patch, apply, row_json, same_rows, wire_changes
from mapkit.editor.commands import Command, CommandError, read_command
from mapkit.editor.document import Document, Row, tables_json
from mapkit.editor.history import History, Step
from mapkit.editor.opening import open_folder

Event = dict[str, Any]
Listener = Callable[[Event], None]
Snapshot = tuple[int, Document]


class ConflictError(CommandError):
    """Somebody else has changed the same rows to something else since the client looked."""

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


class Session:
    """An open board.

    Args:
        document: What it begins with.
        board: The board's id.
        folder: The source package; None for a board in memory.
    """

    def __init__(self, document: Document, *, board: str = "board", folder: Path | None = None) -> None:
        self.board = board
        self.folder = folder
        self._document = document
        self._history = History()
        self._applied: list[_Applied] = []
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a source package.

        Raises:
            SourceError: Its files are wrong.
            WorkspaceError: It is missing.
        """
        return cls(open_folder(folder), board=folder.resolve().name, folder=folder)

    @property
    def document(self) -> Document:
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
    def unsaved(self) -> bool:
        """Return whether there are changes that the files do not have."""
        return self._history.position != self._history.saved

    def snapshot(self) -> Snapshot:
        """Return `(revision, document)` that belong together."""
        with self._lock:
            return self.revision, self._document

    def history(self) -> dict[str, Any]:
        """Return the list of steps, see `History.listed`."""
        with self._lock:
            return self._history.listed()

    def hello(self, client: str) -> Event:
        """Return what a page needs to begin; `view` and `findings` are the live part's."""
        with self._lock:
            title = self._document.settings.get("title")
            return {
                "type": "hello",
                "revision": self.revision,
                "position": self.position,
                "board": self.board,
                "title": title.value if title else self.board,
                "tables": tables_json(self._document),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
                "client": client,
            }

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a function called with every event; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

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
        request: str | int | None = None,
    ) -> Done:
        """Do a command: one step.

        Args:
            command: It, or its JSON.
            client: Who asks; changes of the same client are never in conflict.
            seen: The revision that the client saw; None for the newest.
            force: Do it though others have changed the same rows.
            request: Comes back as `id` in the event.

        Raises:
            CommandError: It does not fit; nothing was changed.
            ConflictError: Others have changed the same rows to something else.
        """
        with self._turn():
            made = command if isinstance(command, Command) else read_command(command)
            plan = made.plan(self._document)
            if not force and seen is not None:
                self._refuse_conflicts(plan.patch, client, seen)
            if not plan.patch:
                return Done(self.revision, self.position, plan.label, ())
            step = Step(
                n=self._history.next_number,
                parent=self.position,
                label=plan.label,
                patch=plan.patch,
                client=client,
                command=made.model_dump(mode="json", exclude_unset=False),
            )
            self._record_step(step)
            return self._changed(plan.patch, plan.label, client, request)

    def undo(self, *, client: str = "", request: str | int | None = None) -> Done:
        """Go back one step.

        Raises:
            CommandError: There is nothing to undo.
        """
        with self._turn():
            target = self._history.undo_target()
            if target is None:
                raise CommandError("there is nothing to undo")
            label = f"Undo: {self._history.steps[self.position].label}"
            return self._go(target, label, client, request)

    def redo(self, *, client: str = "", request: str | int | None = None) -> Done:
        """Go forward one step, along the branch that one was on last.

        Raises:
            CommandError: There is nothing to redo.
        """
        with self._turn():
            target = self._history.redo_target()
            if target is None:
                raise CommandError("there is nothing to redo")
            return self._go(target, f"Redo: {self._history.steps[target].label}", client, request)

    def goto(self, to: int, *, client: str = "", request: str | int | None = None) -> Done:
        """Go to any step, also of another branch; 0 is the start.

        Raises:
            CommandError: There is no such step.
        """
        with self._turn():
            if to and to not in self._history.steps:
                raise CommandError(f"there is no step {to}; the newest is {self._history.next_number - 1}")
            label = self._history.steps[to].label if to else "the start"
            return self._go(to, f"Go to: {label}", client, request)

    def checkpoint(self, name: str) -> None:
        """Give the present step a name.

        Raises:
            CommandError: The name is empty.
        """
        with self._turn():
            if not name.strip():
                raise CommandError("a checkpoint needs a name")
            self._record_checkpoint(name.strip())
            self._emit({"type": "checkpoint", "revision": self.revision, "history": self._history.listed()})

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            yield

    def _record_step(self, step: Step) -> None:
        self._history.add(step)

    def _record_position(self, to: int, client: str) -> None:
        del client
        self._history.stand(to)

    def _record_checkpoint(self, name: str) -> None:
        self._history.checkpoints.setdefault(self.position, []).append(name)

    def _go(self, to: int, label: str, client: str, request: str | int | None) -> Done:
        patch = self._history.between(self.position, to)
        self._record_position(to, client)
        return self._changed(patch, label, client, request)

    def _changed(self, patch: Patch, label: str, client: str, request: str | int | None = None) -> Done:
        self._document = apply(self._document, patch)
        self._applied.append(_Applied(client, patch))
        self._emit(
            {
                "type": "changed",
                "revision": self.revision,
                "position": self.position,
                "client": client,
                "id": request,
                "label": label,
                "changes": wire_changes(patch),
                "history": self._history.listed(),
                "unsaved": self.unsaved,
            }
        )
        return Done(self.revision, self.position, label, patch)

    def _refuse_conflicts(self, patch: Patch, client: str, seen: int) -> None:
        """Refuse to overwrite what others have done since.

        Raises:
            ConflictError: A row was changed by others since, to something else.
        """
        later = self._applied[max(seen, 0) :]
        first: dict[tuple[str, str], Row | None] = {}
        for one in later:
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
                f"somebody else has changed {what} meanwhile; look at it, then do it again or leave it", tuple(found)
            )

    def _emit(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener(event)
