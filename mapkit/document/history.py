"""Tree of steps: a new step after undo begins a branch, and nothing is ever dropped."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import TypedDict

from mapkit.document.changes import Patch, compose, invert


@dataclass(frozen=True)
class HistoryStep:
    """A step: its changes, its parent step, and its author.

    Args:
        n: Its number, from 1; 0 is the start.
        parent: The step after which it was done.
        label: What undo says it undoes.
        patch: What it changed.
        client: Who did it.
        command: The command as JSON; None for changes found on disk.
    """

    n: int
    parent: int
    label: str
    patch: Patch
    client: str = ""
    command: Any = None


class ListedStep(TypedDict):
    """A step in the form for pages: `n` is 0 for the board when it was first opened.

    `done` says whether the board as it is now holds the step; the others can be done again. `branches` are the steps
    of other branches that begin here.
    """

    n: int
    parent: int | None
    label: str
    client: str
    done: bool
    checkpoints: list[str]
    branches: list[int]


class ListedHistory(TypedDict):
    """The history in the form for pages: the current position, and the saved step.

    `steps` go from the start to the present step, then come those that redo would do; `other` are the steps of other
    branches, by number.
    """

    position: int
    saved: int
    steps: list[ListedStep]
    other: list[ListedStep]


@dataclass
class History:
    """Steps, current position, and named checkpoints; 0 is the initial document of the journal."""

    steps: dict[int, HistoryStep] = field(default_factory=dict)
    position: int = 0
    checkpoints: dict[int, list[str]] = field(default_factory=dict)
    saved: int = 0
    next_number: int = 1
    _redo_children: dict[int, int] = field(default_factory=dict)  # step -> the child that redo takes

    def add(self, step: HistoryStep) -> None:
        """Add a step, whose number is greater than its parent's, and move to it."""
        self.steps[step.n] = step
        self.next_number = max(self.next_number, step.n + 1)
        self.stand(step.n)

    def stand(self, n: int) -> None:
        """Move to a step; redo then follows the path to it."""
        for path_step in self._route(self.position, n)[1]:
            self._redo_children[self.steps[path_step].parent] = path_step
        self.position = n

    def path(self, n: int) -> list[int]:
        """Return the steps from the start to `n`, without the start."""
        return self._route(0, n)[1]

    def _route(self, start: int, end: int) -> tuple[list[int], list[int]]:
        """Return the steps to undo and those to do on the way from one step to another, in order."""
        undone_steps: list[int] = []
        redone_steps: list[int] = []
        while start != end:
            if start > end:
                undone_steps.append(start)
                start = self.steps[start].parent
            else:
                redone_steps.append(end)
                end = self.steps[end].parent
        return undone_steps, redone_steps[::-1]

    def undo_target(self) -> int | None:
        """Return the target of undo, or None at the start."""
        return self.steps[self.position].parent if self.position else None

    def redo_target(self) -> int | None:
        """Return the target of redo, or None at the end."""
        return self._redo_children.get(self.position)

    def between(self, start: int, end: int) -> Patch:
        """Return the patch that leads from one step to another."""
        undone_steps, redone_steps = self._route(start, end)
        inverted_patches = [invert(self.steps[n].patch) for n in undone_steps]
        return compose([*inverted_patches, *(self.steps[n].patch for n in redone_steps)])

    def line(self) -> Iterator[int]:
        """Yield the visible steps: from the start to the position, then those that redo would do."""
        yield 0
        yield from self.path(self.position)
        next_step = self.redo_target()
        while next_step is not None:
            yield next_step
            next_step = self._redo_children.get(next_step)

    def listed(self) -> ListedHistory:
        """Return the history in the form for pages."""
        shown_steps = list(self.line())
        done_steps = {0, *self.path(self.position)}
        children: dict[int, list[int]] = {}
        for step in self.steps.values():
            children.setdefault(step.parent, []).append(step.n)
        on_line = set(shown_steps)

        def list_step(n: int) -> ListedStep:
            step = self.steps.get(n)
            return {
                "n": n,
                "parent": step.parent if step else None,
                "label": step.label if step else "Opened",
                "client": step.client if step else "",
                "done": n in done_steps,
                "checkpoints": self.checkpoints.get(n, []),
                "branches": [child for child in children.get(n, []) if child not in on_line],
            }

        return {
            "position": self.position,
            "saved": self.saved,
            "steps": [list_step(n) for n in shown_steps],
            "other": [list_step(n) for n in sorted(self.steps) if n not in on_line],
        }
