"""Drafting boards."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import median
from mapkit.core.base import Area, Frozen
from mapkit.core.errors import BoardError, ChoiceError, SourceError
from mapkit.core.findings import CheckReport, Finding
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import make_board, new_board_folder, prepare_board
from mapkit.document.changes import difference
from mapkit.document.disk import align_ranks
from mapkit.document.frame_commands import rows_command
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.evaluate import Evaluator
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.filters import parse_bbox
from mapkit.geography.region import NamedRegion, parse_region
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.checks.registry import CHECKS_WITH_AMOUNTS
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.drafting.corners import is_corner_list, parse_polygon
from mapkit.kinds.rail.drafting.draft import plan_board
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.kinds.rail.drafting.package import draft_files
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.drafting.redraft import (
    AuthorChanges,
    describe_kept_changes,
    find_author_changes,
    is_empty,
    merge_author_changes,
    read_earlier_options,
)
from mapkit.kinds.rail.drafting.user_lines import UserLines, read_user_lines
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths
from mapkit.kinds.rail.network.trips import estimate_game_length
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.package import document_of, read_package
from mapkit.kinds.rail.render.colours.solver import solve_colours
from mapkit.kinds.rail.render.pictured import DRAWING, kept_run

# Figures of a board, to compare drafts with boards of the family.
#
# The network is contracted: mileposts and junctions at which only two ways meet and that are no city are taken out.
# Track of several railroads between the same ends counts once.

_WAYS_OF_THROUGH_NODE: Final = 2
_FAR_QUANTILE: Final = 0.95

Links = dict[frozenset[str], float]


class Figures(Frozen):
    """Figures of a board.

    Attributes:
        cities: How many.
        railroads: How many.
        mileposts: How many.
        edges_a_node: Of the contracted network.
        detour: By rail through as the crow flies, the mean of all pairs of cities.
        detour_95: The same, of which 95 % of the pairs have less.
        tree: The length of all ways, in lengths of the least tree that joins them.
        railroads_a_city: The mean.
        monopolies: The share of the cities that one railroad alone serves.
        likeliest: The chance of the likeliest city.
        trip: Mileposts of a trip, by the odds of the charts.
        step: Miles from milepost to milepost, the median.
        payoff: What a trip pays, thousands.
        price: What a railroad costs on average, in payoffs.
        dearest: The dearest railroad, in mean prices.
        trips: Of a game.
    """

    cities: int
    railroads: int
    mileposts: int
    edges_a_node: float
    detour: float
    detour_95: float
    tree: float
    railroads_a_city: float
    monopolies: float
    likeliest: float
    trip: float
    step: float
    payoff: float
    price: float
    dearest: float
    trips: float


def measure_board(board: Board) -> Figures:
    """Return the figures of a board that is in one piece and has charts."""
    links: Links = {}
    for track_piece in board.pieces:
        ends = frozenset((track_piece.a, track_piece.b))
        if len(ends) > 1:
            links[ends] = min(track_piece.miles, links.get(ends, track_piece.miles))
    city_mileposts = {city.milepost for city in board.cities}
    position_by_id = {m.id: (m.lon, m.lat) for m in board.mileposts}
    net = contract_network(links, city_mileposts)
    nodes = sorted({end for ends in net for end in ends})
    detours = _detour_ratios(net, nodes, sorted(city_mileposts), position_by_id)
    chances = calculate_city_chances(board)
    served = railroads_by_city(board)
    length = estimate_game_length(board)
    prices = [r.price for r in board.railroads if not r.public]
    mean_price = sum(prices) / len(prices) if prices else 0.0
    payoff = length.payoff if length else 0.0
    return Figures(
        cities=len(board.cities),
        railroads=len(board.railroads),
        mileposts=len(board.mileposts),
        edges_a_node=_round_figure(len(net) / len(nodes)),
        detour=_round_figure(float(detours.mean())),
        detour_95=_round_figure(float(np.quantile(detours, _FAR_QUANTILE))),
        tree=_round_figure(sum(net.values()) / _spanning_tree_miles(net)),
        railroads_a_city=_round_figure(sum(map(len, served.values())) / len(board.cities)),
        monopolies=_round_figure(sum(len(railroads) == 1 for railroads in served.values()) / len(board.cities)),
        likeliest=round(float(max(chances.values())), 4),
        trip=_round_figure(_mean_trip_moves(board, {city.id: float(chances[city.id]) for city in board.cities})),
        step=_round_figure(median(np.array([s.miles for s in board.segments]))),
        payoff=_round_figure(payoff / board.units.payoff),
        price=_round_figure(mean_price / payoff if payoff else 0.0),
        dearest=_round_figure(max(prices, default=0) / mean_price if mean_price else 0.0),
        trips=_round_figure(length.trips if length else 0.0),
    )


def contract_network(links: Mapping[frozenset[str], float], keep: set[str]) -> Links:
    """Contract nodes of two ways, except those to keep; of two parallel ways, keep the shorter."""
    contracted_links = dict(links)
    neighbours: dict[str, set[str]] = defaultdict(set)
    for ends in contracted_links:
        a, b = sorted(ends)
        neighbours[a].add(b)
        neighbours[b].add(a)
    node_stack = sorted(neighbours, reverse=True)
    while node_stack:
        node = node_stack.pop()
        node_neighbours = sorted(neighbours[node])
        if node in keep or len(node_neighbours) > _WAYS_OF_THROUGH_NODE or not node_neighbours:
            continue
        for neighbour in node_neighbours:
            neighbours[neighbour].discard(node)
        through_miles = sum(contracted_links.pop(frozenset((node, neighbour))) for neighbour in node_neighbours)
        neighbours[node] = set()
        if len(node_neighbours) == _WAYS_OF_THROUGH_NODE:
            ends = frozenset(node_neighbours)
            contracted_links[ends] = min(through_miles, contracted_links.get(ends, through_miles))
            neighbours[node_neighbours[0]].add(node_neighbours[1])
            neighbours[node_neighbours[1]].add(node_neighbours[0])
        node_stack += reversed(node_neighbours)
    return contracted_links


def _detour_ratios(
    net: Links, nodes: list[str], cities: list[str], where: Mapping[str, tuple[float, float]]
) -> NDArray[np.float64]:
    index_by_node = {node: index for index, node in enumerate(nodes)}
    edge_indices = np.array([sorted(index_by_node[end] for end in pair) for pair in net], dtype=np.int64)
    rail_miles = find_shortest_paths(
        edge_indices, np.array(list(net.values())), len(nodes), [index_by_node[city] for city in cities]
    )
    first_city, second_city = np.triu_indices(len(cities), 1)
    lon, lat = (np.array([where[city][axis] for city in cities]) for axis in (0, 1))
    crow_miles = (
        np.asarray(geod().inv(lon[first_city], lat[first_city], lon[second_city], lat[second_city])[2])
        / METRES_PER_MILE
    )
    city_columns = np.array([index_by_node[city] for city in cities])
    ratios = rail_miles[first_city, city_columns[second_city]] / np.maximum(crow_miles, 1e-6)
    return np.asarray(ratios[np.isfinite(ratios)], dtype=np.float64)


def _spanning_tree_miles(net: Links) -> float:
    parent_by_node: dict[str, str] = {}

    def of(node: str) -> str:
        while parent_by_node.setdefault(node, node) != node:
            parent_by_node[node] = parent_by_node[parent_by_node[node]]
            node = parent_by_node[node]
        return node

    tree_miles = 0.0
    for miles, (a, b) in sorted((miles, sorted(ends)) for ends, miles in net.items()):
        first_root, second_root = of(a), of(b)
        if first_root != second_root:
            parent_by_node[first_root] = second_root
            tree_miles += miles
    return tree_miles


def _mean_trip_moves(board: Board, chances: Mapping[str, float]) -> float:
    """Return the mean mileposts of a trip between two different cities drawn by their odds."""
    path_table = count_all_pairs_moves(board)
    index_by_id = {ident: index for index, ident in enumerate(path_table.ids)}
    city_indices = np.array([index_by_id[city.milepost] for city in board.cities])
    odds = np.array([chances[city.id] for city in board.cities])
    pair_odds = np.outer(odds, odds)
    np.fill_diagonal(pair_odds, 0.0)
    return float((pair_odds * path_table.moves[np.ix_(city_indices, city_indices)]).sum() / pair_odds.sum())


def _round_figure(value: float) -> float:
    return round(value, 2)


# Finishing of a draft: solve its colours, judge its findings, and write its files.

_COLOUR_DISTANCE: Final = 100.0
"""Colours of a draft are nobody's: they may go anywhere."""
_PAGE_FACTORS: Final = (1.1, 1.2, 1.3)
"""Pages that are tried where there is no room for what is drawn, in first ones."""
REASONS: Final[Mapping[str, str]] = {
    "N09": "Drafted: railroads part near a milepost, at a place of their own.",
    "N10": "Drafted: two mileposts lie where railroads part, so the step between them is as long as the way.",
    "N17": "Drafted: another railroad has the way between.",
    "N18": "Drafted: the lines meet before the city.",
    "V07": "Drafted: with so few cities, one that is larger than the others comes up often.",
}
"""Why a warning on a draft is right as it is, by the code of its check."""


def finish_draft(plan: Plan, board_id: str, progress: Progress = quiet) -> tuple[dict[str, bytes], Board]:
    """Return the files of a draft by path, and its board.

    Args:
        plan: The plan.
        board_id: The board's id.
        progress: Called with what is being done.

    Raises:
        BoardError: The draft would have errors, so it is not one; another seed may give a better one.
    """
    progress("building the board")
    compiled = _build_board(plan, board_id)
    board = compiled.board
    progress("solving colours")
    styles = solve_colours(board, near=_COLOUR_DISTANCE).styles
    coloured_railroads = tuple(
        r.model_copy(update={"colour": styles[r.id].colour, "pattern": styles[r.id].pattern}) for r in plan.railroads
    )
    plan = plan.model_copy(update={"railroads": coloured_railroads})
    progress("checking the drawing")
    compiled = _build_board(plan, board_id, compiled.evaluator)
    best_plan, report = plan, _check_draft(compiled.board, board_id)
    for page_factor in _PAGE_FACTORS:
        if plan.sheet or not _drawing_warnings(report):
            break
        progress("making the page larger")
        wider_plan = plan.model_copy(
            update={"page": (round(plan.page[0] * page_factor / 10) * 10, round(plan.page[1] * page_factor / 10) * 10)}
        )
        wider_compiled = _build_board(wider_plan, board_id, compiled.evaluator)
        wider_report = _check_draft(wider_compiled.board, board_id)
        if len(_drawing_warnings(wider_report)) < len(_drawing_warnings(report)):
            best_plan, compiled, report = wider_plan, wider_compiled, wider_report
    best_plan = best_plan.model_copy(update={"accepted": accept_findings(report.findings)})
    return draft_files(best_plan), _build_board(best_plan, board_id, compiled.evaluator).board


def _check_draft(board: Board, board_id: str) -> CheckReport:
    """Return all findings on a board, as `mapkit check` lists them.

    Raises:
        BoardError: There are errors.
    """
    report = run_checks(board, checks=(*CHECKS_WITH_AMOUNTS, *DRAWING), run=kept_run(board))
    if report.errors:
        raise BoardError(
            f"{board_id}: the draft has errors, so nothing was written; try another --seed, or ask for fewer cities or "
            "railroads:\n" + "\n".join(f"{one.code} {one.message}" for one in report.errors)
        )
    return report


def _drawing_warnings(report: CheckReport) -> list[Finding]:
    """Return the warnings on the drawing, because a larger page may cure them."""
    return [one for one in report.findings if one.severity == "warning" and one.code.startswith("R")]


def accept_findings(findings: tuple[Finding, ...]) -> dict[str, str]:
    """Return the warnings on a draft that are accepted: id -> reason."""
    return {one.id: REASONS[one.code] for one in findings if one.severity == "warning" and one.code in REASONS}


def _build_board(plan: Plan, board_id: str, evaluator: Evaluator | None = None) -> Compiled:
    package_reading = read_package(Folder({path: data.decode() for path, data in draft_files(plan).items()}))
    compiled = compile_document(package_reading.document, board_id=board_id, evaluator=evaluator)
    problems = (*package_reading.problems, *compiled.problems)
    if problems:
        raise BoardError(
            f"{board_id}: the draft cannot be built, so nothing was written; try another --seed:\n"
            + "\n".join(problem_lines(problems))
        )
    return compiled


_REGION_OPTIONS: Final = frozenset({"region", "bbox", "polygon"})
"""Options that name a region together: one of them replaces all."""
_HALF_TURN: Final = 180.0
_FEWEST_RING_POINTS: Final = 4
"""Points of a ring at the least."""


@dataclass(frozen=True)
class Drafted:
    """Draft with its source package, its files, its assumptions and its figures."""

    folder: Path
    files: tuple[Path, ...]
    assumed: tuple[str, ...]
    figures: Figures

    def as_json(self) -> dict[str, object]:
        """Return the result as `--json` prints it."""
        files = [path.relative_to(self.folder).as_posix() for path in self.files]
        summary = {"board": self.folder.name, "folder": str(self.folder), "files": files, "assumed": self.assumed}
        return {**summary, "figures": self.figures.model_dump()}


def draft(name: str, asked: DraftAsked, *, workspace: str | Path | None = None, progress: Progress = quiet) -> Drafted:
    """Draft a board of a region of the earth: a source package in `sources/NAME` that builds as it is.

    Cities, track, railroads, regions, charts and prices are made up from the gazetteer and the base map. The same
    arguments give the same files.

    Args:
        name: The board's id: letters, digits, hyphens.
        asked: The region, how many cities and railroads, and the seed.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with what is being done.

    Raises:
        WorkspaceError: The name cannot be used, or is taken.
        UnknownNameError: Nobody knows the region.
        ChoiceError: The region cannot give what is asked, or a box or a corner is wrong.
        SourceError: A file is wrong.
        BoardError: No board without errors was found.
        OutputError: The files cannot be written; nothing is left of them.
    """
    opened_workspace = open_workspace(workspace)
    folder = new_board_folder(opened_workspace, name)
    files, board, plan = _make_files(name, asked, opened_workspace.root, progress)
    progress("writing")
    make_board(folder, name, files)
    written_paths = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    return Drafted(folder, written_paths, plan.assumed, measure_board(board))


def draft_again(
    name: str,
    changes: Mapping[str, object],
    *,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Drafted:
    """Draft a board of the workspace again as one undoable step; keep all that its author has changed.

    Args:
        name: The board, which was drafted, or has nothing on it yet.
        changes: What is to be asked for now, by the names of `DraftAsked`; the rest is as it was.
        workspace: As for `draft`.
        progress: Called with what is being done.

    Raises:
        ChoiceError: The board was not drafted; or as for `draft`.
        MapkitError: As for `draft`; or the board cannot be opened or saved.
    """
    space = open_workspace(workspace)
    session = Session.open(prepare_board(space, name).folder, PACKAGE)
    folder = session.folder
    assert folder is not None  # noqa: S101 - it was opened from one
    was_saved = not session.unsaved
    document = session.document
    earlier_options = read_earlier_options(document)
    if earlier_options is None and not is_empty(document):
        raise ChoiceError(
            f"{name} was not drafted, or its board.toml has lost [extensions.draft], so a new draft could overwrite "
            "the author's work; draft a board of another name"
        )
    kept_options = earlier_options.model_dump() if earlier_options else {}
    if changes.keys() & _REGION_OPTIONS:
        kept_options = {key: value for key, value in kept_options.items() if key not in _REGION_OPTIONS}
    asked = DraftAsked.model_validate(kept_options | dict(changes))
    author_changes = AuthorChanges()
    if earlier_options is not None:
        progress("finding what you have changed")
        old_files, _, _ = _make_files(name, earlier_options, space.root, quiet)
        author_changes = find_author_changes(document_of(_decode_files(old_files)), document)
        asked = asked.model_copy(
            update={
                "include": tuple(dict.fromkeys((*asked.include, *author_changes.include))),
                "leave_out": tuple(dict.fromkeys((*asked.leave_out, *author_changes.leave_out))),
            }
        )
    files, board, plan = _make_files(name, asked, space.root, progress)
    merged_document = (
        merge_author_changes(document_of(_decode_files(files)), document, author_changes)
        if earlier_options is not None
        else document_of(_decode_files(files))
    )
    aligned_document = align_ranks(document, merged_document)
    progress("writing")
    patch = difference(document, aligned_document)
    if patch:
        session.do(rows_command(patch, f"Draft a board of {region_of(asked, space.root).name}"), client="mapkit draft")
        if was_saved:
            session.save()
    written_paths = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    unsaved_notes = (
        [f"not saved yet, for earlier steps are not: mapkit journal {name} --save"] if patch and not was_saved else []
    )
    return Drafted(
        folder,
        written_paths,
        (*plan.assumed, *describe_kept_changes(author_changes, document), *unsaved_notes),
        measure_board(board),
    )


def _decode_files(files: Mapping[str, bytes]) -> dict[str, str | bytes]:
    return {path: data.decode() for path, data in files.items()}


def _make_files(name: str, asked: DraftAsked, root: Path, progress: Progress) -> tuple[dict[str, bytes], Board, Plan]:
    """Return the files of a draft, its board and its plan."""
    asked.refuse_numbers()
    given = read_user_lines(Workspace(root).path(asked.lines), asked.lines) if asked.lines else None
    region = region_of(asked, root, given)
    command = " ".join(("mapkit draft", name, *asked.words()))
    title = name.replace("-", " ").capitalize()
    plan = plan_board(asked, region, title=title, command=command, given=given, progress=progress)
    files, board = finish_draft(plan, name, progress)
    return files, board, plan


def region_of(asked: DraftAsked, root: Path, given: UserLines | None = None) -> NamedRegion:
    """Return the region of a draft.

    Args:
        asked: What is asked.
        root: Where the file of polygons is looked for.
        given: Lines, the surroundings of which are the region if nothing else is named.
    """
    bounds = _parse_box(asked.bbox) if asked.bbox else None
    area, area_name = None, ""
    if asked.polygon:
        lists_corners = is_corner_list(asked.polygon)
        area = (
            parse_polygon(asked.polygon)
            if lists_corners
            else _read_polygons(Workspace(root).path(asked.polygon), asked.polygon)
        )
        area_name = "the polygon" if lists_corners else f"the polygons of {asked.polygon}"
    if given is not None and not asked.region and bounds is None and area is None:
        area, area_name = given.area, f"the surroundings of {asked.lines}"
    return parse_region(asked.region, bounds=bounds, area=area, called=area_name)


def _parse_box(text: str) -> Area:
    """Return the box of a text; refuse one that spans most of the earth because its sides are swapped."""
    west, south, east, north = parse_bbox(text)
    if west > east and east - west + 2 * _HALF_TURN > _HALF_TURN:
        raise ChoiceError(
            f"--bbox {text!r}: from {west:g} eastward to {east:g} is {east - west + 2 * _HALF_TURN:g} degrees, across "
            f"longitude 180; write west before east: {east:g},{south:g},{west:g},{north:g}"
        )
    return west, south, east, north


def _read_polygons(path: Path, name: str) -> BaseGeometry:
    """Return the polygons of a file as one area, degrees."""
    layer = read_any(path, name=name, options=ImportOptions(rings=True, plain=True))
    if layer.crs is None:
        raise SourceError(
            f"{name}: its coordinates are not in degrees, as it is a drawing; give polygons as GeoJSON, "
            "GeoPackage, Shapefile or KML"
        )
    rings = [
        line for line in layer.lines if line.is_closed and len(line.coords) >= _FEWEST_RING_POINTS
    ]  # a ring may cross itself
    area = shapely.union_all([shapely.make_valid(shapely.Polygon(ring.coords)) for ring in rings])
    if area.is_empty:
        raise SourceError(f"{name}: no polygons; draw the region as an area")
    return area
