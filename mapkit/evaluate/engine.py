"""Demand-driven incremental evaluation, after Salsa: tracked functions, recorded reads, early cutoff.

A tracked function gets a `Reader` and keys. While it runs, each table, row, input and tracked function that it reads is
recorded with its value. For another document the recorded reads are compared in their order, by identity and then by
equality; if all are the same, so is the result. A result that equals the one before is replaced by that object, so
that whatever reads it stays valid too.

```python
@tracked
def prices(db: Reader) -> dict[str, int]:
    return {key: row.price for key, row in db.table("railroads").items()}
```

Values must not be changed after they are returned. Memos are immutable, so threads may evaluate at the same time.
"""

from collections.abc import Callable, Collection, Hashable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from functools import wraps
from operator import eq
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar, cast

from mapkit.document.document import Document, RowOrigins

A = TypeVar("A")
K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
V = TypeVar("V")

Call = tuple[Any, ...]
"""A tracked function, or the word for an input, with its arguments."""
_TABLE: Final = "table"
_INPUT: Final = "input"
_ORIGINS: Final = "origins"
_ENTRIES: Final = "entries"
_MISSING: Final = object()
_WHOLE: Final = object()
_ATOMS: Final = (str, int, float, type(None), frozenset)
_FEW: Final = 2000
"""Memos below this number are not pruned."""


def tracked(function: "Callable[Concatenate[Reader, P], T]") -> "Callable[Concatenate[Reader, P], T]":
    """Have the results of a pure function of a reader and hashable keys reused."""

    @wraps(function)
    def call(db: "Reader", *keys: P.args, **_: P.kwargs) -> T:
        return cast("T", db.read((function, *keys)))

    return cast("Callable[Concatenate[Reader, P], T]", call)


def is_same(old: object, new: object) -> bool:
    """Return whether two values are interchangeable: identical, or equal, of one type and in one order throughout."""
    if old is new:
        return True
    if old.__class__ is not new.__class__:
        return False
    try:
        return bool(old == new) and _is_in_order(old, new)
    except ValueError:  # arrays
        return False


def _is_in_order(old: Any, new: Any) -> bool:  # noqa: ANN401 - any two equal values
    """Return whether the mappings in two equal values have the same order."""
    if old is new or isinstance(old, _ATOMS):
        return True
    if isinstance(old, dict):
        return all(map(eq, old, new)) and all(map(_is_in_order, old.values(), new.values()))
    if isinstance(old, tuple | list):
        return all(map(_is_in_order, old, new))
    fields = getattr(new, "__dict__", {})
    return all(_is_in_order(value, fields.get(key, value)) for key, value in getattr(old, "__dict__", {}).items())


def changed_keys(old: Mapping[K, object], new: Mapping[K, object]) -> set[K]:
    """Return the keys of entries that came, went, or differ."""
    if old is new:
        return set()
    out = {
        key for key, value in new.items() if (was := old.get(key, _MISSING)) is not value and not is_same(was, value)
    }
    return out if len(old) == len(new) and not out else out | (old.keys() - new.keys())


@dataclass(frozen=True, slots=True)
class _Memo:
    """Result of a tracked function, and its reads in order."""

    value: object
    reads: Mapping[Call, object]


_Readers = Mapping[Any, Collection[Any]]
"""The entries of a mapping by the keys that they read of another; `_WHOLE` stands for all keys.

An entry that no longer reads a key may still be named, and is then evaluated once too often.
"""


@dataclass(frozen=True, slots=True)
class _EachMemo:
    """The results of a function for the entries of a mapping, and the readers of each shared mapping."""

    items: Mapping[Any, object]
    shared: tuple[object, ...]
    results: Mapping[Any, Any]
    readers: tuple[_Readers, ...]


@dataclass
class Evaluator:
    """Memos of tracked functions; a session holds one.

    Args:
        inputs: What results follow from beside documents, by name.
    """

    inputs: dict[str, object] = field(default_factory=dict)
    _memos: dict[Call, _Memo] = field(default_factory=dict, repr=False)
    _each: dict[Call, _EachMemo] = field(default_factory=dict, repr=False)
    _newest: Mapping[Call, object] = field(default_factory=dict, repr=False)

    def fork(self) -> Self:
        """Return an evaluator with the same memos, for a document that only a question is about."""
        return type(self)(dict(self.inputs), dict(self._memos), dict(self._each), self._newest)

    def reader(self, document: Document, **inputs: object) -> "Reader":
        """Return a reader of a document.

        Args:
            document: The document.
            inputs: What results follow from beside it, for this document only.
        """
        if len(self._memos) > max(_FEW, 2 * len(self._newest)):
            self._memos = {call: memo for call, memo in self._memos.items() if call in self._newest}
            self._each = {at: memo for at, memo in self._each.items() if at[1] in self._newest}
        revision = _Revision(self, document, {**self.inputs, **inputs})
        self._newest = revision.values
        return Reader(revision, ())


class _Revision:
    """A document with the values of the tracked functions that were evaluated for it."""

    def __init__(self, evaluator: Evaluator, document: Document, inputs: Mapping[str, object]) -> None:
        self.evaluator = evaluator
        self.document = document
        self.inputs = inputs
        self.values: dict[Call, object] = {}
        self._changed: dict[tuple[int, int], tuple[set[Any], object, object]] = {}
        self._same: dict[tuple[int, int], tuple[bool, object, object]] = {}

    def is_same(self, old: object, new: object) -> bool:
        """Return `is_same`, calculated once; both values are kept alive, so that their ids stay unique."""
        at = (id(old), id(new))
        found = self._same.get(at)
        if found is None:
            found = self._same[at] = (is_same(old, new), old, new)
        return found[0]

    def changed(self, old: Mapping[K, object], new: Mapping[K, object]) -> set[K]:
        """Return `changed_keys`, calculated once."""
        if old is new:
            return set()
        at = (id(old), id(new))
        if at not in self._changed:
            self.note_changed(old, new, changed_keys(old, new))
        return self._changed[at][0]

    def note_changed(self, old: Mapping[K, object], new: Mapping[K, object], keys: set[K]) -> None:
        """Store the keys by which two mappings differ, and keep both alive, so that their ids stay unique."""
        self._changed[id(old), id(new)] = (keys, old, new)

    def value(self, call: Call, callers: tuple[Call, ...] = ()) -> object:
        """Return the value of an input or of a tracked function."""
        found = self.values.get(call, _MISSING)
        if found is not _MISSING:
            return found
        match call[0]:
            case "table":
                found = self.document.table(call[1])
            case "input":
                found = self.inputs.get(call[1])
            case "origins":
                found = self.document.origins
            case _:
                found = self._evaluated(call, callers)
        self.values[call] = found
        return found

    def _evaluated(self, call: Call, callers: tuple[Call, ...]) -> object:
        memos = self.evaluator._memos  # noqa: SLF001 - the other half of the engine
        memo = memos.get(call)
        if memo is not None and (reads := self._verified(memo)) is not None:
            if reads is not memo.reads:
                memos[call] = _Memo(memo.value, reads)
            return memo.value
        if call in callers:
            raise RuntimeError(f"{call[0].__name__}{call[1:]} needs its own result")
        reader = Reader(self, (*callers, call))
        value = call[0](reader, *call[1:])
        if memo is not None and self.is_same(memo.value, value):
            value = memo.value
        memos[call] = _Memo(value, reader.reads)
        return value

    def _verified(self, memo: _Memo) -> Mapping[Call, object] | None:
        """Return the reads of a memo with current mappings if all are unchanged; otherwise None.

        Reads are compared in order, for what is read later may depend on what is read first.
        """
        fresh: dict[Call, object] = {}
        known = self.values.get  # most reads were verified for another memo, and a call is slow
        for call, old in memo.reads.items():
            if call[0] is _ENTRIES:
                rows, keys = cast("tuple[Mapping[Any, object], set[Any]]", old)
                now = cast("Mapping[Any, object]", self.value(call[1]))
                if now is not rows:
                    if not self.changed(rows, now).isdisjoint(keys):
                        return None
                    fresh[call] = (now, keys)
            elif (value := known(call, _MISSING)) is not old:
                value = self.value(call) if value is _MISSING else value
                if value is not old and not self.is_same(old, value):
                    return None
        return {**memo.reads, **fresh} if fresh else memo.reads


class Reader:
    """Access of a tracked function to the document, to inputs and to other tracked functions."""

    def __init__(self, revision: _Revision, callers: tuple[Call, ...]) -> None:
        self._revision = revision
        self._callers = callers
        self.reads: dict[Call, object] = {}

    def read(self, call: Call) -> object:
        """Return the value of a call, and record it."""
        value = self.reads[call] = self._revision.value(call, self._callers)
        return value

    def table(self, name: str) -> Mapping[str, Any]:
        """Return a table of the document."""
        return cast("Mapping[str, Any]", self.read((_TABLE, name)))

    def input(self, name: str) -> Any:  # noqa: ANN401 - whatever the session has
        """Return an input beside the document, or None."""
        return self.read((_INPUT, name))

    @property
    def origins(self) -> RowOrigins:
        """Where rows of the document come from."""
        return cast("RowOrigins", self.read((_ORIGINS,)))

    def rows(self, name: str) -> "Lookup[str, Any]":
        """Return a table whose reads are recorded row by row."""
        return Lookup(self, (_TABLE, name))

    def lookup(self, function: "Callable[..., Mapping[K, V]]", *keys: Hashable) -> "Lookup[K, V]":
        """Return the mapping of a tracked function, with reads recorded entry by entry."""
        return Lookup(self, (cast("Any", function).__wrapped__, *keys))

    @property
    def document(self) -> Any:  # noqa: ANN401 - of its kind
        """The document, for functions that take one; each table and origin that they read is recorded."""
        return type(self._revision.document)(_Tables(self), Lookup(self, (_ORIGINS,)))

    def each(self, function: Callable[..., R], items: Mapping[K, Any], *shared: object) -> Mapping[K, R]:
        """Apply a pure function to every entry of a mapping; only new and changed entries are evaluated.

        Args:
            function: Gets the key, the value and what is shared.
            items: The mapping.
            shared: Further arguments. Of a mapping among them, a result depends on the entries that it reads only.
        """
        return self._apply(function, items, shared, batch=False)

    def batch(self, function: Callable[..., Mapping[K, R]], items: Mapping[K, Any], *shared: object) -> Mapping[K, R]:
        """Apply a pure function to all new and changed entries of a mapping together; as `each`.

        Args:
            function: Gets these entries and what is shared, on all of which it depends; returns as many by key.
            items: The mapping.
            shared: Further arguments.
        """
        return self._apply(function, items, shared, batch=True)

    def _apply(
        self, function: Callable[..., Any], items: Mapping[K, Any], shared: tuple[object, ...], *, batch: bool
    ) -> Mapping[K, Any]:
        revision, at = self._revision, (function, self._callers[-1] if self._callers else ())
        known = revision.evaluator._each  # noqa: SLF001 - the other half of the engine
        old = known.get(at)
        dirty = None if old is None else _dirty_entries(revision, old, shared, whole=batch)
        if old is not None and dirty is not None and not dirty and old.items is items:
            return old.results
        new: Mapping[K, Any] = items
        if old is not None and dirty is not None:
            new = {} if old.items is items else _new_entries(old.items, items)
            new = {**new, **{key: items[key] for key in dirty if key in items}} if dirty else new
        results: Mapping[Any, Any] = old.results if old is not None else {}
        made, readers = (function(new, *shared) if new else {}, ()) if batch else _evaluate_each(function, new, shared)
        made = {key: last if is_same(last := results.get(key, _MISSING), now) else now for key, now in made.items()}
        out: Mapping[K, Any]
        if old is not None and len(items) == len(results) and all(map(eq, items, results)):
            other = {key for key, now in made.items() if results[key] is not now}
            out = {**results, **made} if other else results
            revision.note_changed(results, out, other)
        else:
            out = {key: made[key] if key in made else results[key] for key in items}
        if old is not None and dirty is not None:
            readers = tuple(map(_merge_readers, old.readers, readers))
        known[at] = _EachMemo(items, shared, out, readers)
        return out


def _new_entries(old: Mapping[K, object], items: Mapping[K, V]) -> dict[K, V]:
    """Return the entries that are not the same in an earlier mapping."""
    get = old.get
    return {
        key: value
        for key, value in items.items()
        if (last := get(key, _MISSING)) is not value and not is_same(last, value)
    }


def _dirty_entries(revision: _Revision, old: _EachMemo, shared: tuple[object, ...], *, whole: bool) -> set[Any] | None:
    """Return the entries that read a changed part of shared mappings; None for all, if something else differs."""
    dirty: set[Any] = set()
    number = 0
    for was, now in zip(old.shared, shared, strict=True):
        if not whole and isinstance(now, Mapping) and isinstance(was, Mapping):
            readers = old.readers[number]
            for key in revision.changed(was, now):
                dirty.update(readers.get(key, ()))
            if _WHOLE in readers and not revision.is_same(was, now):
                dirty.update(readers[_WHOLE])
            number += 1
        elif not is_same(was, now):
            return None
    return dirty


def _merge_readers(old: _Readers, new: _Readers) -> _Readers:
    """Return the readers of both; most entries read what they read before."""
    added = {
        key: {*old.get(key, ()), *entries} for key, entries in new.items() if not set(entries) <= set(old.get(key, ()))
    }
    return {**old, **added} if added else old


def _evaluate_each(
    function: Callable[..., R], items: Mapping[Any, object], shared: tuple[object, ...]
) -> tuple[dict[Any, R], tuple[_Readers, ...]]:
    """Return the result of each entry, and the entries that read each key of the shared mappings."""
    views = [_Seen(each) if isinstance(each, Mapping) else each for each in shared]
    mappings = [view for view in views if isinstance(view, _Seen)]
    made: dict[Any, R] = {}
    for key, value in items.items():
        made[key] = function(key, value, *views)
        for view in mappings:
            view.note_reader(key)
    return made, tuple(view.readers for view in mappings)


class _Watched(Mapping[K, V], Generic[K, V]):
    """Mapping that records its reads, entry by entry or as a whole."""

    _mapping: Mapping[K, V]
    _seen: set[Any]

    def _all(self) -> Mapping[K, V]:
        """Return the mapping, noting that all of it is read."""
        raise NotImplementedError

    def __getitem__(self, key: K) -> V:
        self._seen.add(key)
        return self._mapping[key]

    def get(self, key: Any, default: Any = None) -> Any:  # noqa: ANN401 - as of any mapping
        """Return an entry, and record it."""
        self._seen.add(key)
        return self._mapping.get(key, default)

    def __contains__(self, key: object) -> bool:
        return self.get(cast("K", key), cast("V", _MISSING)) is not _MISSING

    def __iter__(self) -> Iterator[K]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> KeysView[K]:
        return self._all().keys()

    def values(self) -> ValuesView[V]:
        return self._all().values()

    def items(self) -> ItemsView[K, V]:
        return self._all().items()

    def __eq__(self, other: object) -> bool:
        return self._all() == other

    __hash__ = None  # type: ignore[assignment]


class _Seen(_Watched[K, V]):
    """A shared mapping of `Reader.each`."""

    def __init__(self, rows: Mapping[K, V]) -> None:
        self._mapping = rows
        self._seen: set[Any] = set()
        self.readers: dict[Any, list[Any]] = {}

    def note_reader(self, entry: object) -> None:
        """Note an entry as reader of the keys that were read since the last one."""
        for key in self._seen:
            self.readers.setdefault(key, []).append(entry)
        self._seen.clear()

    def _all(self) -> Mapping[K, V]:
        self._seen.add(_WHOLE)
        return self._mapping


class Lookup(_Watched[K, V]):
    """A mapping that a call gives; entries that are asked for are recorded for the function that asks."""

    def __init__(self, reader: Reader, call: Call) -> None:
        self._reader = reader
        self._call = call
        self._mapping = cast("Mapping[K, V]", reader._revision.value(call, reader._callers))  # noqa: SLF001
        self._seen: set[Any] = cast("Any", reader.reads.setdefault((_ENTRIES, call), (self._mapping, set())))[1]

    def _all(self) -> Mapping[K, V]:
        return cast("Mapping[K, V]", self._reader.read(self._call))


class _Tables(Mapping[str, Mapping[str, Any]]):
    """The tables of a reader's document."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        return self._reader.table(name)

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401, ARG002 - an empty table is one too
        return self._reader.table(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._reader._revision.document.schema.tables)  # noqa: SLF001 - which are fixed

    def __len__(self) -> int:
        return len(self._reader._revision.document.schema.tables)  # noqa: SLF001
