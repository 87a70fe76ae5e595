"""Names of a board matched to places, for people: proposals are accepted on the terminal."""

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

import mapkit
from mapkit.console.printing import ask, can_ask, is_plain, print_message, print_result, table
from mapkit.core.plurals import count_noun, join_some

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.matching import AcceptedPlace, ChosenPlace, LineAdded, MatchedPlaces
    from mapkit.kinds.rail.editing.place_matching import MatchCandidate, MatchedName, NamedPoint

_MAP_COLUMNS: Final = 48
_MAP_ROWS: Final = 12
_NEAR_MI: Final = 50.0
_MILES_PER_DEGREE: Final = 69.0


def show_matches(found: "MatchedPlaces", board: str, workspace: str | Path | None) -> None:
    """Print what was matched, ask about the rest on a terminal, and say what remains."""
    if found.table is not None:
        print_result(f"{found.matched:,} of {count_noun(found.names, 'name')} matched")
        print_message(f"wrote {found.table}; edit it, then run: mapkit match {board} --take {found.table}")
        raise typer.Exit(found.exit_code)
    _print_matched(found)
    accepted_count = len(found.accepted)
    if found.remaining and (chosen := _ask_places(found.remaining)):
        found = mapkit.match_places(board, chosen=chosen, workspace=workspace)
        _print_matched(found)
        accepted_count += len(found.accepted)
    if accepted_count:
        way_back = f"to take them back, delete its last {count_noun(accepted_count, 'row')}"
        if found.undoable:
            way_back = f"mapkit undo {board} takes them back"
        print_message(f"wrote {count_noun(accepted_count, 'place')} to places.csv; {way_back}")
    misspelled = [one for one in found.remaining if one.meant]
    _print_ways_to_accept([one for one in found.remaining if not one.meant], f"mapkit match {board}")
    if any(use.startswith("charts/") for one in misspelled for use in one.uses):
        print_message(f"mapkit match {board} with --yes writes these cities into charts")
    if misspelled := [one for one in misspelled if not one.uses[0].startswith("charts/")]:
        print_message(f"correct {join_some(f'{one.name} to {one.meant} in {one.uses[0]}' for one in misspelled)}")
    if unproposed := _names_without_proposal(found.remaining):
        print_message(
            f"give a position to {join_some(unproposed)}: write a table with mapkit match {board} --table names.csv, "
            f"fill it in, and run: mapkit match {board} --take names.csv"
        )
    raise typer.Exit(found.exit_code)


def show_added_line(
    found: "LineAdded",
    board: str,
    places: Sequence[str],
    railroad: str,
    name: str | None,
    workspace: str | Path | None,
) -> None:
    """Print the step, or ask about names on a terminal first, and say what remains."""
    if found.remaining:
        print_result(_matches_text(found.remaining))
        if chosen := _ask_places(found.remaining):
            found = mapkit.add_line(board, places, railroad=railroad, name=name, chosen=chosen, workspace=workspace)
    if found.done:
        _print_corrected(found.corrected)
        _print_accepted(found.accepted)
        print_result(found.done)
        saved = ", ".join(found.saved or ())
        print_message(
            f"saved: {saved}" if saved else "in the journal, not in the files; mapkit journal --save writes them"
        )
        print_message(f"mapkit undo {board} takes it back")
    else:
        names = count_noun(len(found.remaining), "name")
        print_message(f"no line was added, because {names} remain{'s' if len(found.remaining) == 1 else ''}")
        if unproposed := _names_without_proposal(found.remaining):
            print_message(
                f"give a position to {join_some(unproposed)}: add it to places.csv, or write @lon,lat in its place, "
                "such as @27.78,-25.63"
            )
        _print_ways_to_accept(found.remaining, "the same line")
    raise typer.Exit(found.exit_code)


def _print_matched(found: "MatchedPlaces") -> None:
    print_result(f"{found.matched:,} of {count_noun(found.names, 'name')} matched")
    _print_accepted(found.accepted)
    _print_corrected(found.corrected)
    if found.remaining:
        print_result(_matches_text(found.remaining))
    for problem in found.chart_problems:
        print_result(problem)


def _print_accepted(places: "Sequence[AcceptedPlace]") -> None:
    for place in places:
        print_result(f"{place.name}: {place.source}")


def _print_corrected(corrected: Mapping[str, str]) -> None:
    for typed, meant in corrected.items():
        print_result(f"{typed}: taken for {meant}, which the board has")


def _names_without_proposal(remaining: "Sequence[MatchedName]") -> list[str]:
    return [one.name for one in remaining if one.proposal is None and not one.meant]


def _print_ways_to_accept(remaining: "Sequence[MatchedName]", command: str) -> None:
    """Name the options that accept the proposals."""
    unknown = [one.name for one in remaining if one.proposal is not None and one.proposal.fits == "between"]
    if any(one.name not in unknown and (one.proposal or one.meant) for one in remaining):
        print_message(f"{command} with --yes takes places of these names, or spelled alike")
    if unknown:
        print_message(
            f"check the spelling of {join_some(unknown)}; {command} with --place-unknown places "
            f"{'it' if len(unknown) == 1 else 'them'} between the neighbours on the line"
        )


def _matches_text(remaining: "Sequence[MatchedName]") -> str:
    rows = [
        (one.name, *(_candidate_cells(one.proposal) if one.proposal else ("-", "", "", "")), one.reason, one.uses[0])
        for one in remaining
    ]
    return table(("name", "proposal", "country", "off line, miles", "people", "why", "used in"), rows, right=(3, 4))


def _candidate_cells(one: "MatchCandidate") -> tuple[str, str, str, str]:
    off_line = "" if one.off_line_mi is None else f"{one.off_line_mi:,.0f}"
    return one.place, one.country, off_line, "" if one.population is None else f"{one.population:,}"


def _ask_places(remaining: "Sequence[MatchedName]") -> "Mapping[str, ChosenPlace]":
    """Ask on a terminal which places are meant; none without a terminal, or if the user leaves."""
    if not can_ask():
        return {}
    answer = ask("a to accept all proposals, o to decide one by one, Enter to leave: ").strip().casefold()
    chosen: dict[str, ChosenPlace] = {}
    for one in remaining if answer in {"a", "o"} else ():
        place = _ask_place(one) if answer == "o" else _choice(one.proposal) if one.proposal else None
        if place is not None:
            chosen[one.name] = place
    return chosen


def _choice(candidate: "MatchCandidate") -> "ChosenPlace":
    return mapkit.ChosenPlace(lon=candidate.lon, lat=candidate.lat, source=candidate.source)


def _ask_place(one: "MatchedName") -> "ChosenPlace | None":
    """Ask for one place: a number of the list, a position, or nothing."""
    print_message(f"\n{one.name}: {one.reason}; used in {', '.join(one.uses)}")
    rows = [
        (str(number), *_candidate_cells(candidate), candidate.called)
        for number, candidate in enumerate(one.candidates, start=1)
    ]
    if rows:
        print_message(table(("", "place", "country", "off line, miles", "people", "also called"), rows, right=(3, 4)))
    if not is_plain(sys.stderr) and (map_text := draw_small_map(one)):
        print_message(map_text)
    proposed = one.candidates.index(one.proposal) + 1 if one.proposal in one.candidates else None
    while True:
        line = ask(f"number, lon,lat or - to leave it{f'; Enter for {proposed}' if proposed else ''}: ")
        typed = line.strip()
        if typed == "-" or not line or (not typed and proposed is None):
            return None
        if not typed and one.proposal is not None:
            return _choice(one.proposal)
        if typed.isdecimal() and 1 <= int(typed) <= len(one.candidates):
            return _choice(one.candidates[int(typed) - 1])
        try:
            lon, lat = map(float, typed.split(","))
            return mapkit.ChosenPlace(lon=lon, lat=lat)
        except ValueError:
            print_message(f"{typed!r} is neither a number of the list nor a position such as 18.63,-33.9")


def draw_small_map(one: "MatchedName") -> str:
    """Return a map in letters: the stops beside a name, joined by dots, and its candidates by number, north up.

    Candidates that are far off the line are left out; the map is empty without stops beside the name.
    """
    if not one.beside:
        return ""
    letters = dict(zip("AB", one.beside, strict=False))
    middle = one.beside[0]
    shrinking = math.cos(math.radians(middle.lat))

    def offset(place: "NamedPoint | MatchCandidate") -> tuple[float, float]:
        return ((place.lon - middle.lon + 180) % 360 - 180) * shrinking, place.lat - middle.lat

    reach_mi = max(math.hypot(*offset(one.beside[-1])) * _MILES_PER_DEGREE, _NEAR_MI)
    near = {
        str(number): place
        for number, place in enumerate(one.candidates, start=1)
        if place.off_line_mi is not None and place.off_line_mi <= reach_mi
    }
    points = {mark: offset(place) for mark, place in (letters | near).items()}
    left, top = min(x for x, _ in points.values()), max(y for _, y in points.values())
    width, height = (max(side) - min(side) for side in zip(*points.values(), strict=True))
    column_degrees = max(width / (_MAP_COLUMNS - 1), height / (2 * (_MAP_ROWS - 1)), 1e-6)
    cells = [[" "] * _MAP_COLUMNS for _ in range(_MAP_ROWS)]

    def put(mark: str, x: float, y: float) -> None:
        cells[round((top - y) / (2 * column_degrees))][round((x - left) / column_degrees)] = mark

    ends = [points[letter] for letter in letters]
    for step in range(_MAP_COLUMNS):
        share = step / (_MAP_COLUMNS - 1)
        put("\u00b7", *(ends[0][axis] + share * (ends[-1][axis] - ends[0][axis]) for axis in (0, 1)))
    for mark, (x, y) in reversed(points.items()):
        put(mark, x, y)
    drawn = [text for row in cells if (text := "".join(row).rstrip())]
    return "\n".join([*drawn, ", ".join(f"{letter} {place.name}" for letter, place in letters.items())])
