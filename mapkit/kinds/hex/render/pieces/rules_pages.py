"""Rule sheet for the settings of a board; settings without effect are left out."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.hex.model.terrain import known_terrains
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.rules.book import options

_PLAYER_RANGE = range(2, 7)


@dataclass(frozen=True)
class RulePart:
    """Section of the rule sheet: a heading and its points."""

    title: str
    points: tuple[str, ...]
    numbered: bool = False


def rule_pages(job: HexJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    option_names = (
        job.words(f"rules.option_{name.replace('-', '_')}")
        for name in options()
        if all(attrgetter(path)(job.board.rules) == value for path, value in options()[name].settings.items())
    )
    options_text = ", ".join(option_names)
    column_text = ColumnText(options_text, rule_parts(job), tuple(_gap_sentences(job)))
    return column_sheets(job, "rules", job.words("rules.title"), column_text)


def rule_parts(job: HexJob) -> tuple[RulePart, ...]:
    """Return the sections of the rule sheet."""
    writer_by_part = {
        "start": _start_points,
        "turn": _turn_points,
        "auction": _auction_points,
        "action": _action_points,
        "track": _track_points,
        "build_up": _build_up_points,
        "delivery": _delivery_points,
        "cards": _card_points,
        "rotors": _rotor_points,
        "mines": _mine_points,
        "income": _income_points,
        "end": _end_points,
    }
    points_by_part = ((name, tuple(write_points(job))) for name, write_points in writer_by_part.items())
    return tuple(
        RulePart(job.words(f"rules.{name}"), part_points, name == "turn")
        for name, part_points in points_by_part
        if part_points
    )


def _gap_sentences(job: HexJob) -> Iterator[str]:
    """Yield sentences on values that are missing from all sources."""
    end_rules, words = job.board.rules.end, job.words
    player_rules = job.board.rules.players
    if any(end_rules.markers_for(n) is None for n in _PLAYER_RANGE if player_rules.least <= n <= player_rules.most):
        yield words("rules.gap_markers")
    if job.board.track_is_example:
        yield words("rules.gap_track")
    if job.board.rules.rotors.enabled and job.board.rules.rotors.wheel is None:
        yield words("rules.gap_wheel")


def _start_points(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words("rules.players", least=rules.players.least, most=rules.players.most)
    yield words("rules.setup_cubes")
    yield words("rules.setup_player", level=rules.engine.first_level)
    if job.board.operations:
        yield words("rules.setup_cards")
    if job.board.barons:
        yield words("rules.setup_barons")
    markers_by_players = [
        (n, rules.end.markers_for(n)) for n in _PLAYER_RANGE if rules.players.least <= n <= rules.players.most
    ]
    marker_texts = ", ".join(
        words("rules.markers_each", players=n, markers=count) for n, count in markers_by_players if count is not None
    )
    if marker_texts:
        yield words("rules.markers", counts=marker_texts)


def _turn_points(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words("rules.phase_auction")
    yield words.count("rules.phase_actions", rules.turn.action_rounds)
    yield words("rules.phase_income")


def _action_points(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words("rules.actions_mines" if rules.mines.enabled else "rules.actions")
    yield words("rules.repeat" if rules.turn.repeat_actions else "rules.no_repeat")


def _auction_points(job: HexJob) -> Iterator[str]:
    words, auction_rules = job.words, job.board.rules.auction
    yield words("rules.bid", amount=job.money(auction_rules.minimum_bid))
    if auction_rules.style == "first-to-pass":
        yield words("rules.first_to_pass", percent=words.percent(auction_rules.passer_pays_percent))
        yield words("rules.first_to_pass_order")
    elif auction_rules.style == "worst-is-first":
        yield words("rules.worst_is_first")
        if any(card.effect == "executive" for card in job.board.operations):
            yield words("rules.no_executives")
    else:
        yield words("rules.traditional")
        yield words("rules.clockwise")
    yield words("rules.order_kept")


def _track_points(job: HexJob) -> Iterator[str]:
    words, track_rules = job.words, job.board.rules.track
    yield words("rules.tiles", least=track_rules.least_tiles, most=track_rules.most_tiles)
    (first_place, first_cost), *other_costs = (
        (row.where[words.base], job.money(cost))
        for row in known_terrains().values()
        if (cost := row.cost_by(track_rules)) is not None
    )
    other_texts = "".join(f", {place} {price}" for place, price in other_costs)
    yield words(
        "rules.costs", ridge=job.money(track_rules.ridge), where=first_place, amount=first_cost, others=other_texts
    )
    own_terrains = [
        own_terrain
        for own_terrain in job.board.terrains
        if own_terrain.id not in known_terrains() and own_terrain.cost is not None
    ]
    for terrain in own_terrains:
        yield words("rules.cost_own", terrain=terrain.name, amount=job.money(terrain.cost or 0))
    if any(piece.kind == "tile" and piece.lines > 1 and piece.count != 0 for piece in job.board.components):
        yield words("rules.second_line")
    yield words("rules.link")
    yield words("rules.open_track")
    if any(link.owner == "first-builder" for link in job.board.links):
        yield words("rules.printed_links")
    if job.board.lines:
        yield words("rules.major_lines")


def _build_up_points(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words.count("rules.urbanize", rules.urbanize.cubes, amount=job.money(rules.urbanize.price))
    yield words("rules.upgrade", prices=", ".join(job.money(price) for price in rules.engine.prices))


def _delivery_points(job: HexJob) -> Iterator[str]:
    words, delivery_rules = job.words, job.board.rules.delivery
    yield words("rules.deliver")
    if not delivery_rules.pass_own_colour:
        yield words("rules.no_passing")
    if delivery_rules.first_link_own:
        yield words("rules.first_link")
    if delivery_rules.links_of_others:
        yield words("rules.links_of_others")
    yield words.count("rules.link_points", delivery_rules.points_per_link)
    yield words("rules.empty_city")
    yield words("rules.marker_off")


def _card_points(job: HexJob) -> Iterator[str]:
    if job.board.operations:
        yield job.words("rules.take_card")
    if job.board.barons:
        yield job.words("rules.barons")


def _rotor_points(job: HexJob) -> Iterator[str]:
    rotor_rules, words = job.board.rules.rotors, job.words
    if rotor_rules.enabled:
        yield words("rules.rotor_both")
        yield words("rules.rotor_turns")
        if rotor_rules.wheel:
            yield words("rules.wheel", colours=", ".join(words(f"colour.{colour}") for colour in rotor_rules.wheel))


def _mine_points(job: HexJob) -> Iterator[str]:
    mine_rules, words = job.board.rules.mines, job.words
    if mine_rules.enabled:
        yield words.count("rules.mine_place", mine_rules.uses, amount=job.money(mine_rules.price))
        yield words.count("rules.mine_draw", mine_rules.most_draws)


def _income_points(job: HexJob) -> Iterator[str]:
    income_rules, words = job.board.rules.income, job.words
    yield words("rules.income_track")
    yield words("rules.bonds", value=job.money(income_rules.bond_value), dividend=job.money(income_rules.dividend))
    yield words("rules.bonds_repaid" if income_rules.bonds_repaid else "rules.bonds_kept")


def _end_points(job: HexJob) -> Iterator[str]:
    end_rules, words = job.board.rules.end, job.words
    yield words.count("rules.last_marker", end_rules.turns_after)
    yield words("rules.trigger_undone" if end_rules.trigger_undone else "rules.trigger_stays")
    yield words.count("rules.final", abs(end_rules.bond_points))
