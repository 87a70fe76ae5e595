"""What track joins, by railroad and by milepost or junction; kept from edit to edit where track did not change."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar, cast

from mapkit.kinds.rail.checks.check import Link, Links, by_node, links_of
from mapkit.kinds.rail.model.board import Piece, Segment

T = TypeVar("T")
Parts = Mapping[str, Sequence[Segment | Piece]]


class Joined:
    """What one part of a board's track joins.

    Args:
        parts: The segments or pieces of each railroad; those that did not change are the same object.
        before: What track joined earlier; what is equal is taken from there.

    Attributes:
        of: Links by railroad; one without track is left out.
        at: Links by milepost or junction, sorted by id; a loop stands once.
    """

    def __init__(self, parts: Parts, before: "Joined | None" = None) -> None:
        self._parts = parts
        self.of = _of(parts) if before is None else before._of_now(parts)  # noqa: SLF001 - its own kind
        self.at = by_node(_all(self.of)) if before is None else before._at_now(self.of)  # noqa: SLF001
        self._sought: dict[Callable[[Links], Any], tuple[Mapping[str, Links], Mapping[str, Any]]] = (
            {} if before is None else dict(before._sought)  # noqa: SLF001
        )

    def seek(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds in the links of each railroad; it is asked where they are not as they were.

        The same object is returned where it finds nothing else.
        """
        was, known = self._sought.get(find, ({}, {}))
        if was is not self.of:
            found = {key: known[key] if was.get(key) is links else find(links) for key, links in self.of.items()}
            self._sought[find] = (self.of, known if known == found else found)
        return cast("Mapping[str, T]", self._sought[find][1])

    def _of_now(self, parts: Parts) -> Mapping[str, Links]:
        """Return links by railroad of other track; the same object where nothing changed."""
        out: dict[str, Links] = {}
        for railroad, own in parts.items():
            was = self.of.get(railroad, ())
            if self._parts.get(railroad) is not own:
                links = links_of(own)
                was = was if was == links else links
            if was:
                out[railroad] = was
        same = out.keys() == self.of.keys() and all(self.of[railroad] is links for railroad, links in out.items())
        return self.of if same else out

    def _at_now(self, of: Mapping[str, Links]) -> Mapping[str, Links]:
        """Return links by milepost or junction of other track; the same object where nothing changed."""
        if of is self.of:
            return self.at
        changed = [key for key in {**self.of, **of} if self.of.get(key) is not of.get(key)]
        was = {link for key in changed for link in self.of.get(key, ())}
        now = {link for key in changed for link in of.get(key, ())}
        out = dict(self.at)
        for node, links in by_node(was - now).items():
            out[node] = tuple(link for link in out[node] if link not in links)
        for node, links in by_node(now - was).items():
            out[node] = tuple(sorted((*out.get(node, ()), *links)))
        for node in by_node(was - now):
            if not out[node]:
                del out[node]
        return out


def _of(parts: Parts) -> Mapping[str, Links]:
    return {railroad: links_of(own) for railroad, own in parts.items() if own}


def _all(of: Mapping[str, Links]) -> Iterable[Link]:
    return chain.from_iterable(of.values())
