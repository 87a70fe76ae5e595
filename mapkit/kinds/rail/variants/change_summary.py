"""Summary of the difference of two boards as a list of edits, one sentence each."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mapkit.core.plurals import MOST_LISTED, count_noun
from mapkit.kinds.rail.model.board import REGIONS, Board, Segment
from mapkit.kinds.rail.model.difference import BoardDiff, ElementChange, FieldChange, StoryStep
from mapkit.kinds.rail.variants.matching import Matching, near_miles
from mapkit.kinds.rail.variants.stretches import Stretch, find_cut_sections, join_segments

_LINK_STEPS = ("line removed", "line added")

_FEWEST_SCALED = 3
_FEWEST_GROUPED = 4
_MOVED_FIELDS = {"region": "region", "milepost": "milepost"}


@dataclass
class _SummaryState:
    """State of a summary: the boards, and the changes explained so far."""

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
        """Return the unexplained changes of a kind."""
        return [c for key, c in self.changes.items() if c.kind == kind and c.how == how and key not in self.explained]

    def step(self, kind: str, text: str, explained: Sequence[str] = ()) -> StoryStep:
        """Return a step, and mark its changes as explained."""
        self.explained.update(explained)
        return StoryStep.model_validate({"kind": kind, "text": text, "elements": tuple(explained)})

    def segments(self, board: Board, how: str) -> list[Segment]:
        """Return the unexplained segments added (of B) or removed (of A), with ends in B's ids."""
        unexplained_ids = {c.id for c in self.left("segment", how)}
        unexplained_segments = [s for s in board.segments if s.id in unexplained_ids]
        if how == "added":
            return unexplained_segments
        return [self.match.translated(s) for s in unexplained_segments]


def summarise_changes(a: Board, b: Board, match: Matching, found: BoardDiff) -> tuple[StoryStep, ...]:
    """Summarise all changes in `found` as steps from `a` to `b`; missing and added links come first."""
    change_by_key = {f"{c.kind}:{c.id}": c for c in found.elements}
    state = _SummaryState(a, b, match, change_by_key)
    steps = [*_summarise_mergers(state), *_summarise_sections(state), *_summarise_reassignments(state)]
    milepost_steps = list(_summarise_mileposts(state))
    grouped_steps = list(_group_milepost_steps(state, milepost_steps))
    grouped_kinds = {step.kind for step in grouped_steps}
    steps += [step for step, _ in milepost_steps if step.kind not in grouped_kinds]
    steps += [
        *_summarise_track(state),
        *_summarise_regions(state),
        *_summarise_cities(state),
        *_summarise_railroads(state),
        *_summarise_rest(state),
        *grouped_steps,
        *_summarise_destinations(state, found),
        *_summarise_payoffs(state, found),
    ]
    steps += [state.step("rules", f"rule {c.path}: {_value_text(c.a)} -> {_value_text(c.b)}") for c in found.rules]
    steps += [state.step("board", f"{c.path}: {_value_text(c.a)} -> {_value_text(c.b)}") for c in found.values]
    # Links that a tracing misses or has too many explain most other differences.
    return tuple(sorted(steps, key=lambda step: step.kind not in _LINK_STEPS))


def _summarise_mergers(state: _SummaryState) -> Iterator[StoryStep]:
    """Yield mergers and splits: a railroad was added or removed, its track stayed."""
    segments_by_railroads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for change in state.left("segment", "changed"):
        for change_field in change.fields:
            if change_field.field == "railroad":
                segments_by_railroads[str(change_field.a), str(change_field.b)].append(f"segment:{change.id}")
    removed_railroads = {c.id for c in state.left("railroad", "removed")}
    added_railroads = {c.id for c in state.left("railroad", "added")}
    for (old, new), segments in sorted(segments_by_railroads.items()):
        if old in removed_railroads:
            into = _railroad_mark(state, new)
            text = f"{_railroad_mark(state, old)} is merged into {into}: {_count_text(segments, 'segment')} of it"
            yield state.step("railroads merged", text, [f"railroad:{old}", *segments])
        elif new in added_railroads:
            source = _railroad_mark(state, old)
            text = f"{_railroad_mark(state, new)} is split off {source} with {_count_text(segments, 'segment')}"
            yield state.step("railroad split", text, [f"railroad:{new}", *segments])


def _summarise_sections(state: _SummaryState) -> Iterator[StoryStep]:
    """Yield mileposts inserted into sections or removed from them."""
    for how, board, opposite_board, kind in (
        ("added", state.b, state.a, "milepost inserted"),
        ("removed", state.a, state.b, "milepost taken out"),
    ):
        milepost_ids = {c.id for c in state.left("milepost", how)}
        long_segments = state.segments(opposite_board, "removed" if how == "added" else "added")
        users_by_way: dict[tuple[str, ...], list[tuple[str, list[str]]]] = defaultdict(list)
        for section, stretch in find_cut_sections(long_segments, state.segments(board, how), milepost_ids):
            place_ids = min(stretch.places, stretch.places[::-1])
            users_by_way[place_ids].append(
                (stretch.railroad, [f"segment:{s}" for s in (section.id, *stretch.segments)])
            )
        for place_ids, users in sorted(users_by_way.items()):
            railroad_names = _join_words([_railroad_mark(state, railroad) for railroad, _ in users])
            inner_places = place_ids[1:-1]
            milepost_names = _join_words([state.names[p] for p in inner_places])
            between = f"between {state.names[place_ids[0]]} and {state.names[place_ids[-1]]} on {railroad_names}"
            verb = "stands" if how == "added" else "no longer stands"
            verbs = verb if len(inner_places) == 1 else verb.replace("stands", "stand")
            explained = [f"milepost:{p}" for p in inner_places] + [i for _, ids in users for i in ids]
            yield state.step(kind, f"{milepost_names} {verbs} {between}", explained)


def _summarise_reassignments(state: _SummaryState) -> Iterator[StoryStep]:
    """Yield segments that moved from one common railroad to another."""
    segments_by_railroads: dict[tuple[str, str], list[Segment]] = defaultdict(list)
    segment_by_id = {s.id: s for s in state.b.segments}
    for change in state.left("segment", "changed"):
        for field_change in change.fields:
            if field_change.field == "railroad":
                segments_by_railroads[str(field_change.a), str(field_change.b)].append(segment_by_id[change.id])
    for (old, new), segments in sorted(segments_by_railroads.items()):
        for stretch in join_segments(segments):
            old_mark, new_mark = _railroad_mark(state, old), _railroad_mark(state, new)
            text = f"{_stretch_text(state, stretch)} of {old_mark} now belongs to {new_mark}"
            yield state.step("segments reassigned", text, [f"segment:{s}" for s in stretch.segments])


_MilepostSteps = list[tuple[StoryStep, float]]


def _group_milepost_steps(state: _SummaryState, posts: _MilepostSteps) -> Iterator[StoryStep]:
    """Yield one step for each kind of milepost change with many steps, so that it does not hide other changes."""
    for kind, word in (("milepost renamed", "have other names"), ("milepost moved", "moved")):
        kind_steps = [(step, miles) for step, miles in posts if step.kind == kind]
        if len(kind_steps) <= MOST_LISTED:
            continue
        shown_texts = "; ".join(step.text.removeprefix("milepost ") for step, _ in kind_steps[:MOST_LISTED])
        sorted_miles = sorted(miles for _, miles in kind_steps if miles)
        distance_text = (
            f", {sorted_miles[len(sorted_miles) // 2]:.1f} miles off in the median and {sorted_miles[-1]:.1f} at most"
            if sorted_miles
            else ""
        )
        elements = [element for step, _ in kind_steps for element in step.elements]
        more_text = f"; and {len(kind_steps) - MOST_LISTED} more"
        yield state.step(kind, f"{len(kind_steps)} mileposts {word}{distance_text}: {shown_texts}{more_text}", elements)


def _summarise_mileposts(state: _SummaryState) -> Iterator[tuple[StoryStep, float]]:
    """Yield mileposts renamed, moved (with the segments attached to them) and changed, and the miles moved."""
    position_by_id = [{m.id: (m.lon, m.lat) for m in board.mileposts} for board in (state.a, state.b)]
    segments_by_milepost: dict[str, list[str]] = defaultdict(list)
    for segment in state.b.segments:
        segments_by_milepost[segment.a].append(segment.id)
        segments_by_milepost[segment.b].append(segment.id)
    redrawn_segments = {c.id for c in state.left("segment", "changed")}
    for change in state.left("milepost", "changed"):
        explained = [f"milepost:{change.id}"]
        old_name = next(m.name for m in state.a.mileposts if m.id == change.a)
        words, miles = [], 0.0
        kind = "milepost changed"
        if change.changes("name", "id"):
            id_text = f" ({change.a} -> {change.b})" if change.changes("id") else ""
            words.append(
                f"is now {state.names[change.id]}{id_text}" if change.changes("name") else f"has a new id{id_text}"
            )
            kind = "milepost renamed"
        if change.changes("lon", "lat"):
            miles = near_miles(position_by_id[0][change.a or ""], position_by_id[1][change.id])
            words.append(f"moved {miles:.1f} miles" if miles >= 0.05 else "moved a little")  # noqa: PLR2004
            kind = "milepost moved" if kind == "milepost changed" else kind
            explained += [
                f"segment:{s}"
                for s in segments_by_milepost[change.id]
                if s in redrawn_segments and f"segment:{s}" not in state.explained
            ]
        if change.changes("kind"):
            words.append(
                "is now a city's"
                if next((one.b for one in change.fields if one.field == "kind"), None) == "city"
                else "is no longer a city's"
            )
        yield state.step(kind, f"milepost {old_name} {_join_words(words)}", explained), miles


def _summarise_track(state: _SummaryState) -> Iterator[StoryStep]:
    """Yield lines and mileposts added and removed."""
    for how, board in (("removed", state.a), ("added", state.b)):
        new_mileposts = {c.id for c in state.left("milepost", how)}
        railroads = {c.id for c in state.left("railroad", how)}
        if how == "removed":
            yield from _summarise_removed_railroads(state, railroads)
        for stretch in join_segments(state.segments(board, how)):
            inner_mileposts = [
                p
                for p in dict.fromkeys(stretch.places)
                if p in new_mileposts and f"milepost:{p}" not in state.explained
            ]
            explained = [f"segment:{s}" for s in stretch.segments] + [f"milepost:{p}" for p in inner_mileposts]
            parallel_railroads = _railroads_beside(state, board, stretch)
            along_text = (
                f", beside {_join_words([_railroad_mark(state, r) for r in parallel_railroads])}"
                if parallel_railroads
                else ""
            )
            verb = "is" if len(inner_mileposts) == 1 else "are"
            more_text = f", with {_count_text(inner_mileposts, 'milepost')} that {verb} new" if inner_mileposts else ""
            if how == "removed":
                more_text = f", with {_count_text(inner_mileposts, 'milepost')}" if inner_mileposts else ""
            line_text = f"{'gets' if how == 'added' else 'loses'} the line {_stretch_text(state, stretch)}"
            text = f"{_railroad_mark(state, stretch.railroad)} {line_text}{along_text}{more_text}"
            yield state.step(f"line {how}", text, explained)
        yield from _group_many(state, "milepost", how, state.names)
        for change in state.left("milepost", how):
            yield state.step(
                f"milepost {how}", f"milepost {state.names[change.id]} is {how}", [f"milepost:{change.id}"]
            )
        for ident in sorted(railroads if how == "added" else ()):
            yield state.step(
                "railroad added", f"railroad {_railroad_title(state, board, ident)} is added", [f"railroad:{ident}"]
            )


def _group_many(state: _SummaryState, kind: str, how: str, names: Mapping[str, str]) -> Iterator[StoryStep]:
    """Yield one step for many elements added or removed."""
    element_ids = [c.id for c in state.left(kind, how)]
    if len(element_ids) >= _FEWEST_GROUPED:
        shown_names = [names[i] for i in element_ids[:MOST_LISTED]]
        more_text = f" and {len(element_ids) - MOST_LISTED} more" if len(element_ids) > MOST_LISTED else ""
        word = {"city": "cities"}.get(kind, f"{kind}s")
        text = f"{len(element_ids)} {word} are {how}: {', '.join(shown_names)}{more_text}"
        yield state.step("city" if kind == "city" else f"{kind} {how}", text, [f"{kind}:{i}" for i in element_ids])


def _summarise_removed_railroads(state: _SummaryState, railroads: Collection[str]) -> Iterator[StoryStep]:
    """Yield railroads removed with all their track."""
    segments_by_railroad: dict[str, list[str]] = defaultdict(list)
    for segment in state.segments(state.a, "removed"):
        segments_by_railroad[segment.railroad].append(f"segment:{segment.id}")
    for ident in sorted(railroads):
        track_text = (
            f" with its {_count_text(segments_by_railroad[ident], 'segment')}" if segments_by_railroad[ident] else ""
        )
        text = f"railroad {_railroad_title(state, state.a, ident)} is removed{track_text}"
        yield state.step("railroad removed", text, [f"railroad:{ident}", *segments_by_railroad[ident]])


def _railroads_beside(state: _SummaryState, board: Board, stretch: Stretch) -> list[str]:
    """Return the railroads of the other board that run along a whole stretch."""
    b_id_by_a_id = {} if board is state.b else state.match.mileposts
    own_segments = set(stretch.segments)
    railroads_by_ends: dict[frozenset[str], set[str]] = defaultdict(set)
    for segment in board.segments:
        if segment.id not in own_segments:
            ends = frozenset((b_id_by_a_id.get(segment.a, segment.a), b_id_by_a_id.get(segment.b, segment.b)))
            railroads_by_ends[ends].add(segment.railroad)
    railroads_by_step = [
        railroads_by_ends[frozenset(pair)] for pair in zip(stretch.places, stretch.places[1:], strict=False)
    ]
    return sorted(set.intersection(*railroads_by_step) - {stretch.railroad}) if railroads_by_step else []


def _summarise_regions(state: _SummaryState) -> Iterator[StoryStep]:
    for how in ("removed", "added", "changed"):
        for change in state.left("region", how):
            text = f"region {state.areas[change.id]} {_change_text(state, change, how)}"
            yield state.step("region", text, [f"region:{change.id}"])


def _summarise_cities(state: _SummaryState) -> Iterator[StoryStep]:
    region_by_city = {c.id: c.region for board in (state.a, state.b) for c in board.cities}
    for how in ("removed", "added", "changed"):
        if how != "changed":
            yield from _group_many(state, "city", how, state.towns)
        for change in state.left("city", how):
            region_text = (
                f" in {state.areas.get(region_by_city[change.id], region_by_city[change.id])}" if how == "added" else ""
            )
            old_name = next((c.name for c in state.a.cities if c.id == change.a), "") or state.towns[change.id]
            text = f"city {old_name} {_change_text(state, change, how)}{region_text}"
            yield state.step("city", text, [f"city:{change.id}"])


def _summarise_railroads(state: _SummaryState) -> Iterator[StoryStep]:
    currency_symbols = {"a": state.a.units.symbol, "b": state.b.units.symbol}
    mark_by_railroad = {r.id: r.short for r in state.a.railroads}
    for change in state.left("railroad", "changed"):
        words = []
        for field_change in change.fields:
            if field_change.field == "price" and isinstance(field_change.a, int) and isinstance(field_change.b, int):
                words.append(
                    f"costs {currency_symbols['b']}{field_change.b:,}, not {currency_symbols['a']}{field_change.a:,}"
                )
            elif field_change.field == "public":
                words.append("is public" if field_change.b else "is no longer public")
            else:
                words.append(_field_text(state, field_change))
        text = f"railroad {mark_by_railroad[change.a or '']}: {_join_words(words)}"
        yield state.step("railroad changed", text, [f"railroad:{change.id}"])


def _summarise_rest(state: _SummaryState) -> Iterator[StoryStep]:
    """Yield the changes not explained yet: redrawn segments, junctions."""
    segment_by_id = {s.id: s for s in state.b.segments}
    redrawn_segments = [segment_by_id[c.id] for c in state.left("segment", "changed")]
    for stretch in join_segments(redrawn_segments):
        segment_changes = [state.changes[f"segment:{s}"] for s in stretch.segments]
        is_only_sharing = all(not c.changes("line", "miles") for c in segment_changes)
        word = "shares its track differently" if is_only_sharing else "runs another way"
        text = f"{_railroad_mark(state, stretch.railroad)}: {_stretch_text(state, stretch)} {word}"
        yield state.step("segments redrawn", text, [f"segment:{s}" for s in stretch.segments])
    railroad_by_junction = {j.id: j.railroad for board in (state.a, state.b) for j in board.junctions}
    for how in ("removed", "added", "changed"):
        by_railroad: dict[str, list[str]] = defaultdict(list)
        for change in state.left("junction", how):
            by_railroad[railroad_by_junction[change.id]].append(f"junction:{change.id}")
        for railroad, ids in sorted(by_railroad.items()):
            verb = how if how != "changed" else "moved"
            text = f"{_count_text(ids, 'junction')} of {_railroad_mark(state, railroad)} {verb}"
            yield state.step("junctions", text, ids)


def _summarise_destinations(state: _SummaryState, found: BoardDiff) -> Iterator[StoryStep]:
    cells_by_chart: dict[str, list[str]] = defaultdict(list)
    for cell in found.destinations:
        name_by_id = state.areas if cell.chart == REGIONS else state.towns
        item_a, item_b = (name_by_id.get(i, i) if i is not None else "empty" for i in (cell.a, cell.b))
        cells_by_chart[cell.chart].append(f"{cell.column} {cell.sum}: {item_a} -> {item_b}")
    for chart, cells in cells_by_chart.items():
        title = "the region chart" if chart == REGIONS else f"the chart of {state.areas.get(chart, chart)}"
        yield state.step("destinations", f"{_count_text(cells, 'cell')} of {title}: {'; '.join(cells)}")


def _summarise_payoffs(state: _SummaryState, found: BoardDiff) -> Iterator[StoryStep]:
    changed_cells = found.payoffs
    scale_factor = _common_factor(state.a, found)
    if scale_factor is not None:
        yield state.step(
            "payoffs", f"every payoff is multiplied by {scale_factor:g} ({count_noun(len(changed_cells), 'cell')})"
        )
        return
    new_cities, removed_cities = {c.id for c in found.of("city", "added")}, {c.id for c in found.of("city", "removed")}
    for ids, word in ((new_cities, "come with new cities"), (removed_cities, "go with removed cities")):
        city_cells = [c for c in changed_cells if {c.start, c.end} & ids]
        if city_cells:
            yield state.step("payoffs", f"{_count_text(city_cells, 'payoff')} {word}")
        changed_cells = tuple(c for c in changed_cells if not {c.start, c.end} & ids)
    cell_texts = [
        f"{state.towns.get(c.start, c.start)} {'to' if c.one_way else '-'} {state.towns.get(c.end, c.end)} "
        f"{_amount_text(c.a)} -> {_amount_text(c.b)}"
        for c in changed_cells
    ]
    if cell_texts:
        more_text = f"; and {len(cell_texts) - MOST_LISTED} more" if len(cell_texts) > MOST_LISTED else ""
        yield state.step(
            "payoffs", f"{_count_text(cell_texts, 'payoff')}: {'; '.join(cell_texts[:MOST_LISTED])}{more_text}"
        )


def _common_factor(a: Board, found: BoardDiff) -> float | None:
    """Return the common factor of all payoffs above 0, or None if they were not scaled alike."""
    ratios = {c.b / c.a if c.a and c.b is not None else None for c in found.payoffs}
    positive_amounts = sum(bool(v) for x, row in enumerate(a.payoffs.thousands) for v in row[x:])
    if len(ratios) == 1 and len(found.payoffs) == positive_amounts >= _FEWEST_SCALED:
        return ratios.pop()
    return None


def _change_text(state: _SummaryState, change: ElementChange, how: str) -> str:
    return f"is {how}" if how != "changed" else _join_words([_field_text(state, one) for one in change.fields])


def _field_text(state: _SummaryState, one: FieldChange) -> str:
    """Return the change of a field in words."""
    if one.field == "name":
        return f"is now {one.b}"
    if one.field == "id":
        return f"has the id {one.b}, not {one.a}"
    name_by_id: Mapping[str, str] = {"region": state.areas, "milepost": state.names}.get(one.field, {})
    old_name, new_name = (name_by_id.get(str(v), str(v)) for v in (one.a, one.b))
    if one.field in _MOVED_FIELDS:
        return f"moved from {one.field} {old_name} to {new_name}"
    return f"{one.field} {old_name} -> {new_name}"


def _stretch_text(state: _SummaryState, stretch: Stretch) -> str:
    place_names = [state.names[p] for p in stretch.places]
    if len(place_names) > MOST_LISTED:
        place_names = [*place_names[: MOST_LISTED - 3], "...", *place_names[-2:]]
    return f"{' - '.join(place_names)} ({_count_text(stretch.segments, 'segment')})"


def _railroad_mark(state: _SummaryState, railroad: str) -> str:
    return state.shorts.get(railroad, railroad)


def _railroad_title(state: _SummaryState, board: Board, railroad: str) -> str:
    railroad_row = next(r for r in board.railroads if r.id == railroad)
    price = "public" if railroad_row.public else f"{board.units.symbol}{railroad_row.price:,}"
    return f"{railroad_row.name} ({_railroad_mark(state, railroad)}, {price})"


def _count_text(items: Sequence[object], word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _join_words(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _amount_text(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _value_text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"[{', '.join(_value_text(v) for v in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)
