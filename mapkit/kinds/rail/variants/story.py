"""The difference of two boards as the steps of a person: a sentence a step, each with what it explains."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mapkit.core.plurals import counted
from mapkit.kinds.rail.model.board import REGIONS, Board, Segment
from mapkit.kinds.rail.model.difference import BoardDiff, ElementChange, FieldChange, StoryStep
from mapkit.kinds.rail.variants.matching import Matching, near_miles
from mapkit.kinds.rail.variants.stretches import Stretch, cut_sections, lines_of

_LISTED = 12
_MIN_SCALED = 3
_MANY = 4
_KIND_OF_FIELD = {"region": "region", "milepost": "milepost"}


@dataclass
class _Tale:
    """What is known while the story is written: the boards, and which changes a step has explained already."""

    a: Board
    b: Board
    match: Matching
    changes: dict[str, ElementChange]
    explained: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    shorts: dict[str, str] = field(default_factory=dict)
    towns: dict[str, str] = field(default_factory=dict)
    areas: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for board in (self.a, self.b):
            self.names |= {m.id: m.name for m in board.mileposts}
            self.shorts |= {r.id: r.short for r in board.railroads}
            self.towns |= {c.id: c.name for c in board.cities}
            self.areas |= {r.id: r.name for r in board.regions}

    def left(self, kind: str, how: str) -> list[ElementChange]:
        """Return the changes of a kind that no step has explained."""
        return [c for key, c in self.changes.items() if c.kind == kind and c.how == how and key not in self.explained]

    def step(self, kind: str, text: str, explained: Sequence[str] = ()) -> StoryStep:
        """Return a step and remember what it explains."""
        self.explained.update(explained)
        return StoryStep.model_validate({"kind": kind, "text": text, "elements": tuple(explained)})

    def segments(self, board: Board, how: str) -> list[Segment]:
        """Return the segments added (of B) or removed (of A) that no step has explained, ends in B's ids."""
        wanted = {c.id for c in self.left("segment", how)}
        found = [s for s in board.segments if s.id in wanted]
        if how == "added":
            return found
        return [self.match.translated(s) for s in found]


def write_story(a: Board, b: Board, match: Matching, found: BoardDiff) -> tuple[StoryStep, ...]:
    """Return the steps that lead from `a` to `b`; every change of `found` is in one of them."""
    changes = {f"{c.kind}:{c.id}": c for c in found.elements}
    tale = _Tale(a, b, match, changes)
    steps = [*_whole_railroads(tale), *_sections(tale), *_reassigned(tale)]
    posts = list(_mileposts(tale))
    summed = list(_in_numbers(tale, posts))
    whole = {step.kind for step in summed}
    steps += [step for step, _ in posts if step.kind not in whole]
    steps += [
        *_tracks(tale),
        *_regions(tale),
        *_cities(tale),
        *_railroads(tale),
        *_rest(tale),
        *summed,
        *_destinations(tale, found),
        *_payoffs(tale, found),
    ]
    steps += [tale.step("rules", f"rule {c.path}: {_shown(c.a)} -> {_shown(c.b)}") for c in found.rules]
    steps += [tale.step("board", f"{c.path}: {_shown(c.a)} -> {_shown(c.b)}") for c in found.values]
    return tuple(steps)


def _whole_railroads(tale: _Tale) -> Iterator[StoryStep]:
    """Yield mergers and splits: a railroad came or went, its track stayed."""
    moved: dict[tuple[str, str], list[str]] = defaultdict(list)
    for change in tale.left("segment", "changed"):
        for change_field in change.fields:
            if change_field.field == "railroad":
                moved[str(change_field.a), str(change_field.b)].append(f"segment:{change.id}")
    gone = {c.id for c in tale.left("railroad", "removed")}
    come = {c.id for c in tale.left("railroad", "added")}
    for (old, new), segments in sorted(moved.items()):
        if old in gone:
            text = f"{_short(tale, old)} is merged into {_short(tale, new)}: {_count(segments, 'segment')} of it"
            yield tale.step("railroads merged", text, [f"railroad:{old}", *segments])
        elif new in come:
            text = f"{_short(tale, new)} is split off {_short(tale, old)} with {_count(segments, 'segment')}"
            yield tale.step("railroad split", text, [f"railroad:{new}", *segments])


def _sections(tale: _Tale) -> Iterator[StoryStep]:
    """Yield mileposts that were inserted into sections, and those that were taken out of them."""
    for how, board, other, kind in (
        ("added", tale.b, tale.a, "milepost inserted"),
        ("removed", tale.a, tale.b, "milepost taken out"),
    ):
        moved = {c.id for c in tale.left("milepost", how)}
        long = tale.segments(other, "removed" if how == "added" else "added")
        found: dict[tuple[str, ...], list[tuple[str, list[str]]]] = defaultdict(list)
        for section, stretch in cut_sections(long, tale.segments(board, how), moved):
            way = min(stretch.places, stretch.places[::-1])
            found[way].append((stretch.railroad, [f"segment:{s}" for s in (section.id, *stretch.segments)]))
        for way, users in sorted(found.items()):
            who = _and([_short(tale, railroad) for railroad, _ in users])
            inner = way[1:-1]
            what = _and([tale.names[p] for p in inner])
            between = f"between {tale.names[way[0]]} and {tale.names[way[-1]]} on {who}"
            verb = "stands" if how == "added" else "no longer stands"
            verbs = verb if len(inner) == 1 else verb.replace("stands", "stand")
            explained = [f"milepost:{p}" for p in inner] + [i for _, ids in users for i in ids]
            yield tale.step(kind, f"{what} {verbs} {between}", explained)


def _reassigned(tale: _Tale) -> Iterator[StoryStep]:
    """Yield segments that changed hands between railroads that both boards have."""
    moved: dict[tuple[str, str], list[Segment]] = defaultdict(list)
    there = {s.id: s for s in tale.b.segments}
    for change in tale.left("segment", "changed"):
        for one in change.fields:
            if one.field == "railroad":
                moved[str(one.a), str(one.b)].append(there[change.id])
    for (old, new), segments in sorted(moved.items()):
        for stretch in lines_of(segments):
            text = f"{_way(tale, stretch)} of {_short(tale, old)} now belongs to {_short(tale, new)}"
            yield tale.step("segments reassigned", text, [f"segment:{s}" for s in stretch.segments])


_Posts = list[tuple[StoryStep, float]]


def _in_numbers(tale: _Tale, posts: _Posts) -> Iterator[StoryStep]:
    """Yield the steps of mileposts, those that are many of a kind as one: what else changed is not lost among them."""
    for kind, word in (("milepost renamed", "have other names"), ("milepost moved", "moved")):
        own = [(step, miles) for step, miles in posts if step.kind == kind]
        if len(own) <= _LISTED:
            continue
        shown = "; ".join(step.text.removeprefix("milepost ") for step, _ in own[:_LISTED])
        moved = sorted(miles for _, miles in own if miles)
        far = f", {moved[len(moved) // 2]:.1f} miles off in the median and {moved[-1]:.1f} at most" if moved else ""
        elements = [element for step, _ in own for element in step.elements]
        more = f"; and {len(own) - _LISTED} more"
        yield tale.step(kind, f"{len(own)} mileposts {word}{far}: {shown}{more}", elements)


def _mileposts(tale: _Tale) -> Iterator[tuple[StoryStep, float]]:
    """Yield mileposts renamed, moved (with the segments that followed them) and changed, and how far they moved."""
    spots = {m.id: (m.lon, m.lat) for m in tale.a.mileposts}, {m.id: (m.lon, m.lat) for m in tale.b.mileposts}
    at: dict[str, list[str]] = defaultdict(list)
    for segment in tale.b.segments:
        at[segment.a].append(segment.id)
        at[segment.b].append(segment.id)
    redrawn = {c.id for c in tale.left("segment", "changed")}
    for change in tale.left("milepost", "changed"):
        explained = [f"milepost:{change.id}"]
        old = next(m.name for m in tale.a.mileposts if m.id == change.a)
        words, miles = [], 0.0
        kind = "milepost changed"
        if change.changes("name", "id"):
            ids = f" ({change.a} -> {change.b})" if change.changes("id") else ""
            words.append(f"is now {tale.names[change.id]}{ids}" if change.changes("name") else f"has a new id{ids}")
            kind = "milepost renamed"
        if change.changes("lon", "lat"):
            miles = near_miles(spots[0][change.a or ""], spots[1][change.id])
            words.append(f"moved {miles:.1f} miles" if miles >= 0.05 else "moved a little")  # noqa: PLR2004
            kind = "milepost moved" if kind == "milepost changed" else kind
            explained += [
                f"segment:{s}" for s in at[change.id] if s in redrawn and f"segment:{s}" not in tale.explained
            ]
        if change.changes("kind"):
            words.append("is now a city's" if _value(change, "kind") == "city" else "is no longer a city's")
        yield tale.step(kind, f"milepost {old} {_and(words)}", explained), miles


def _tracks(tale: _Tale) -> Iterator[StoryStep]:
    """Yield lines and mileposts that came and went."""
    for how, board in (("removed", tale.a), ("added", tale.b)):
        new = {c.id for c in tale.left("milepost", how)}
        railroads = {c.id for c in tale.left("railroad", how)}
        if how == "removed":
            yield from _gone(tale, railroads)
        for stretch in lines_of(tale.segments(board, how)):
            inner = [p for p in dict.fromkeys(stretch.places) if p in new and f"milepost:{p}" not in tale.explained]
            explained = [f"segment:{s}" for s in stretch.segments] + [f"milepost:{p}" for p in inner]
            beside = _beside(tale, board, stretch)
            along = f", beside {_and([_short(tale, r) for r in beside])}" if beside else ""
            more = f", with {_count(inner, 'milepost')} that {'is' if len(inner) == 1 else 'are'} new" if inner else ""
            if how == "removed":
                more = f", with {_count(inner, 'milepost')}" if inner else ""
            verb = "gets the line" if how == "added" else "loses the line"
            text = f"{_short(tale, stretch.railroad)} {verb} {_way(tale, stretch)}{along}{more}"
            yield tale.step(f"line {how}", text, explained)
        yield from _many(tale, "milepost", how, tale.names)
        for change in tale.left("milepost", how):
            yield tale.step(f"milepost {how}", f"milepost {tale.names[change.id]} is {how}", [f"milepost:{change.id}"])
        for ident in sorted(railroads if how == "added" else ()):
            yield tale.step("railroad added", f"railroad {_long(tale, board, ident)} is added", [f"railroad:{ident}"])


def _many(tale: _Tale, kind: str, how: str, names: Mapping[str, str]) -> Iterator[StoryStep]:
    """Yield one step for elements that came or went in numbers."""
    ids = [c.id for c in tale.left(kind, how)]
    if len(ids) >= _MANY:
        shown = [names[i] for i in ids[:_LISTED]]
        more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
        word = {"city": "cities"}.get(kind, f"{kind}s")
        text = f"{len(ids)} {word} are {how}: {', '.join(shown)}{more}"
        yield tale.step("city" if kind == "city" else f"{kind} {how}", text, [f"{kind}:{i}" for i in ids])


def _gone(tale: _Tale, railroads: Collection[str]) -> Iterator[StoryStep]:
    """Yield railroads that went with all their track."""
    own: dict[str, list[str]] = defaultdict(list)
    for segment in tale.segments(tale.a, "removed"):
        own[segment.railroad].append(f"segment:{segment.id}")
    for ident in sorted(railroads):
        track = f" with its {_count(own[ident], 'segment')}" if own[ident] else ""
        text = f"railroad {_long(tale, tale.a, ident)} is removed{track}"
        yield tale.step("railroad removed", text, [f"railroad:{ident}", *own[ident]])


def _beside(tale: _Tale, board: Board, stretch: Stretch) -> list[str]:
    """Return the railroads of the other board that have every step of a stretch."""
    places = {} if board is tale.b else tale.match.mileposts
    own = set(stretch.segments)
    users: dict[frozenset[str], set[str]] = defaultdict(set)
    for segment in board.segments:
        if segment.id not in own:
            ends = frozenset((places.get(segment.a, segment.a), places.get(segment.b, segment.b)))
            users[ends].add(segment.railroad)
    steps = [users[frozenset(pair)] for pair in zip(stretch.places, stretch.places[1:], strict=False)]
    return sorted(set.intersection(*steps) - {stretch.railroad}) if steps else []


def _regions(tale: _Tale) -> Iterator[StoryStep]:
    for how in ("removed", "added", "changed"):
        for change in tale.left("region", how):
            text = f"region {tale.areas[change.id]} {_said(tale, change, how)}"
            yield tale.step("region", text, [f"region:{change.id}"])


def _cities(tale: _Tale) -> Iterator[StoryStep]:
    regions = {c.id: c.region for board in (tale.a, tale.b) for c in board.cities}
    for how in ("removed", "added", "changed"):
        if how != "changed":
            yield from _many(tale, "city", how, tale.towns)
        for change in tale.left("city", how):
            more = f" in {tale.areas.get(regions[change.id], regions[change.id])}" if how == "added" else ""
            old = next((c.name for c in tale.a.cities if c.id == change.a), "") or tale.towns[change.id]
            text = f"city {old} {_said(tale, change, how)}{more}"
            yield tale.step("city", text, [f"city:{change.id}"])


def _railroads(tale: _Tale) -> Iterator[StoryStep]:
    symbols = {"a": tale.a.units.symbol, "b": tale.b.units.symbol}
    shorts = {r.id: r.short for r in tale.a.railroads}
    for change in tale.left("railroad", "changed"):
        words = []
        for one in change.fields:
            if one.field == "price" and isinstance(one.a, int) and isinstance(one.b, int):
                words.append(f"costs {symbols['b']}{one.b:,}, not {symbols['a']}{one.a:,}")
            elif one.field == "public":
                words.append("is public" if one.b else "is no longer public")
            else:
                words.append(_field_text(tale, one))
        text = f"railroad {shorts[change.a or '']}: {_and(words)}"
        yield tale.step("railroad changed", text, [f"railroad:{change.id}"])


def _rest(tale: _Tale) -> Iterator[StoryStep]:
    """Yield what nothing has explained yet: redrawn segments, junctions."""
    there = {s.id: s for s in tale.b.segments}
    redrawn = [there[c.id] for c in tale.left("segment", "changed")]
    for stretch in lines_of(redrawn):
        fields = [tale.changes[f"segment:{s}"] for s in stretch.segments]
        shared = all(not c.changes("line", "miles") for c in fields)
        word = "shares its track differently" if shared else "runs another way"
        text = f"{_short(tale, stretch.railroad)}: {_way(tale, stretch)} {word}"
        yield tale.step("segments redrawn", text, [f"segment:{s}" for s in stretch.segments])
    owner = {j.id: j.railroad for board in (tale.a, tale.b) for j in board.junctions}
    for how in ("removed", "added", "changed"):
        by_railroad: dict[str, list[str]] = defaultdict(list)
        for change in tale.left("junction", how):
            by_railroad[owner[change.id]].append(f"junction:{change.id}")
        for railroad, ids in sorted(by_railroad.items()):
            text = f"{_count(ids, 'junction')} of {_short(tale, railroad)} {how if how != 'changed' else 'moved'}"
            yield tale.step("junctions", text, ids)


def _destinations(tale: _Tale, found: BoardDiff) -> Iterator[StoryStep]:
    charts: dict[str, list[str]] = defaultdict(list)
    for cell in found.destinations:
        names = tale.areas if cell.chart == REGIONS else tale.towns
        one, other = (names.get(i, i) if i is not None else "empty" for i in (cell.a, cell.b))
        charts[cell.chart].append(f"{cell.column} {cell.sum}: {one} -> {other}")
    for chart, cells in charts.items():
        title = "the region chart" if chart == REGIONS else f"the chart of {tale.areas.get(chart, chart)}"
        yield tale.step("destinations", f"{_count(cells, 'cell')} of {title}: {'; '.join(cells)}")


def _payoffs(tale: _Tale, found: BoardDiff) -> Iterator[StoryStep]:
    cells = found.payoffs
    scaled = _scale(tale.a, found)
    if scaled is not None:
        yield tale.step("payoffs", f"every payoff is multiplied by {scaled:g} ({counted(len(cells), 'cell')})")
        return
    came, went = {c.id for c in found.of("city", "added")}, {c.id for c in found.of("city", "removed")}
    for ids, word in ((came, "come with new cities"), (went, "go with removed cities")):
        own = [c for c in cells if {c.start, c.end} & ids]
        if own:
            yield tale.step("payoffs", f"{_count(own, 'payoff')} {word}")
        cells = tuple(c for c in cells if not {c.start, c.end} & ids)
    said = [
        f"{tale.towns.get(c.start, c.start)} {'to' if c.one_way else '-'} {tale.towns.get(c.end, c.end)} "
        f"{_amount(c.a)} -> {_amount(c.b)}"
        for c in cells
    ]
    if said:
        more = f"; and {len(said) - _LISTED} more" if len(said) > _LISTED else ""
        yield tale.step("payoffs", f"{_count(said, 'payoff')}: {'; '.join(said[:_LISTED])}{more}")


def _scale(a: Board, found: BoardDiff) -> float | None:
    """Return the factor if every payoff above 0 of the chart was multiplied by the same one."""
    ratios = {c.b / c.a if c.a and c.b is not None else None for c in found.payoffs}
    above = sum(bool(v) for x, row in enumerate(a.payoffs.thousands) for v in row[x:])
    if len(ratios) == 1 and len(found.payoffs) == above >= _MIN_SCALED:
        return ratios.pop()
    return None


def _said(tale: _Tale, change: ElementChange, how: str) -> str:
    return f"is {how}" if how != "changed" else _and([_field_text(tale, one) for one in change.fields])


def _field_text(tale: _Tale, one: FieldChange) -> str:
    """Say what became of a field in words."""
    if one.field == "name":
        return f"is now {one.b}"
    if one.field == "id":
        return f"has the id {one.b}, not {one.a}"
    names: Mapping[str, str] = {"region": tale.areas, "milepost": tale.names}.get(one.field, {})
    old, new = (names.get(str(v), str(v)) for v in (one.a, one.b))
    if one.field in _KIND_OF_FIELD:
        return f"moved from {one.field} {old} to {new}"
    return f"{one.field} {old} -> {new}"


def _way(tale: _Tale, stretch: Stretch) -> str:
    places = [tale.names[p] for p in stretch.places]
    if len(places) > _LISTED:
        places = [*places[: _LISTED - 3], "...", *places[-2:]]
    return f"{' - '.join(places)} ({_count(stretch.segments, 'segment')})"


def _short(tale: _Tale, railroad: str) -> str:
    return tale.shorts.get(railroad, railroad)


def _long(tale: _Tale, board: Board, railroad: str) -> str:
    found = next(r for r in board.railroads if r.id == railroad)
    price = "public" if found.public else f"{board.units.symbol}{found.price:,}"
    return f"{found.name} ({_short(tale, railroad)}, {price})"


def _value(change: ElementChange, name: str) -> object:
    return next((one.b for one in change.fields if one.field == name), None)


def _count(items: Sequence[object], word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _amount(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"[{', '.join(_shown(v) for v in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)
