"""The tree of steps: a new step after undo begins a branch, and nothing is ever dropped."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import TypedDict

from mapkit.document.changes import Patch, compose, invert


@dataclass(frozen=True)
class HistoryStep:
    """One step: what it changed, from which step, and who asked for it.

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
    """A step as pages get it: `n` is 0 for the board as it was first opened.

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
    """The history as pages get it: where one stands, and the step that the files hold.

    `steps` go from the start to the present step, then come those that redo would do; `other` are the steps of other
    branches, by number.
    """

    position: int
    saved: int
    steps: list[ListedStep]
    other: list[ListedStep]


@dataclass
class History:
    """Steps, where one stands, and named checkpoints; 0 is the document that the journal begins with."""

    steps: dict[int, HistoryStep] = field(default_factory=dict)
    position: int = 0
    checkpoints: dict[int, list[str]] = field(default_factory=dict)
    saved: int = 0
    _next: dict[int, int] = field(default_factory=dict)  # step -> the child that redo takes

    def add(self, step: HistoryStep) -> None:
        """Add a step and stand on it."""
        self.steps[step.n] = step
        self.stand(step.n)

    @property
    def next_number(self) -> int:
        """Return the number that the next step gets."""
        return max(self.steps, default=0) + 1

    def stand(self, n: int) -> None:
        """Stand on a step; redo leads back along the way that led here."""
        self.position = n
        for one in self.path(n):
            self._next[self.steps[one].parent] = one

    def path(self, n: int) -> list[int]:
        """Return the steps from the start to `n`, the start left out."""
        out: list[int] = []
        while n:
            out.append(n)
            n = self.steps[n].parent
        return out[::-1]

    def undo_target(self) -> int | None:
        """Return where undo leads, or None at the start."""
        return self.steps[self.position].parent if self.position else None

    def redo_target(self) -> int | None:
        """Return where redo leads, or None at the end."""
        return self._next.get(self.position)

    def between(self, start: int, end: int) -> Patch:
        """Return the patch that leads from one step to another."""
        down, up = self.path(start), self.path(end)
        common = 0
        while common < min(len(down), len(up)) and down[common] == up[common]:
            common += 1
        back = [invert(self.steps[n].patch) for n in reversed(down[common:])]
        return compose([*back, *(self.steps[n].patch for n in up[common:])])

    def line(self) -> Iterator[int]:
        """Yield the steps that people see: from the start to the position, then those that redo would do."""
        yield 0
        yield from self.path(self.position)
        at = self.redo_target()
        while at is not None:
            yield at
            at = self._next.get(at)

    def listed(self) -> ListedHistory:
        """Return the history as pages get it."""
        shown = list(self.line())
        done = {0, *self.path(self.position)}
        children: dict[int, list[int]] = {}
        for step in self.steps.values():
            children.setdefault(step.parent, []).append(step.n)
        on_line = set(shown)

        def one(n: int) -> ListedStep:
            step = self.steps.get(n)
            return {
                "n": n,
                "parent": step.parent if step else None,
                "label": step.label if step else "Opened",
                "client": step.client if step else "",
                "done": n in done,
                "checkpoints": self.checkpoints.get(n, []),
                "branches": [child for child in children.get(n, []) if child not in on_line],
            }

        return {
            "position": self.position,
            "saved": self.saved,
            "steps": [one(n) for n in shown],
            "other": [one(n) for n in sorted(self.steps) if n not in on_line],
        }
