"""The rule sheet: what holds under the settings of a board; a setting that plays no part is not said."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.hex.model.terrain import known_terrains
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.rules.book import options

_PLAYERS = range(2, 7)


@dataclass(frozen=True)
class RulePart:
    """A heading and its points."""

    title: str
    points: tuple[str, ...]
    numbered: bool = False


def rule_pages(job: HexJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    named = (job.words(f"rules.option_{name.replace('-', '_')}") for name in options() if _is_on(job, name))
    about = ", ".join(named)
    text = ColumnText(about, rule_parts(job), tuple(_gaps(job)))
    return column_sheets(job, "rules", job.words("rules.title"), text)


def rule_parts(job: HexJob) -> tuple[RulePart, ...]:
    """Return the sections of the rule sheet."""
    made = {
        "start": _start,
        "turn": _turn,
        "auction": _auction,
        "track": _track,
        "build_up": _build_up,
        "delivery": _delivery,
        "cards": _cards,
        "rotors": _rotors,
        "mines": _mines,
        "income": _income,
        "end": _end,
    }
    parts = ((name, tuple(say(job))) for name, say in made.items())
    return tuple(RulePart(job.words(f"rules.{name}"), said, name == "turn") for name, said in parts if said)


def _is_on(job: HexJob, name: str) -> bool:
    """Return whether the settings of an option hold, by its name or by themselves."""
    return all(attrgetter(path)(job.board.rules) == value for path, value in options()[name].settings.items())


def _gaps(job: HexJob) -> Iterator[str]:
    """Yield what no source gives."""
    end, words = job.board.rules.end, job.words
    players = job.board.rules.players
    if any(end.markers_for(n) is None for n in _PLAYERS if players.least <= n <= players.most):
        yield words("rules.gap_markers")
    if job.board.track_is_example:
        yield words("rules.gap_track")
    if job.board.rules.rotors.enabled and job.board.rules.rotors.wheel is None:
        yield words("rules.gap_wheel")


def _start(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words("rules.players", least=rules.players.least, most=rules.players.most)
    yield words("rules.setup_cubes")
    yield words("rules.setup_player", level=rules.engine.first_level)
    counts = [(n, rules.end.markers_for(n)) for n in _PLAYERS if rules.players.least <= n <= rules.players.most]
    known = ", ".join(words("rules.markers_each", players=n, markers=count) for n, count in counts if count is not None)
    if known:
        yield words("rules.markers", counts=known)


def _turn(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words("rules.phase_auction")
    yield words.count("rules.phase_actions", rules.turn.action_rounds)
    yield words("rules.phase_income")


def _auction(job: HexJob) -> Iterator[str]:
    words, auction = job.words, job.board.rules.auction
    yield words("rules.bid", amount=job.money(auction.minimum_bid))
    if auction.style == "first-to-pass":
        yield words("rules.first_to_pass", percent=words.percent(auction.passer_pays_percent))
        yield words("rules.first_to_pass_order")
    elif auction.style == "worst-is-first":
        yield words("rules.worst_is_first")
    else:
        yield words("rules.traditional")


def _track(job: HexJob) -> Iterator[str]:
    words, track = job.words, job.board.rules.track
    yield words("rules.tiles", least=track.least_tiles, most=track.most_tiles)
    (where, amount), *others = (
        (row.where[words.base], job.money(cost))
        for row in known_terrains().values()
        if (cost := row.cost_by(track)) is not None
    )
    more = "".join(f", {place} {price}" for place, price in others)
    yield words("rules.costs", ridge=job.money(track.ridge), where=where, amount=amount, others=more)
    own = [one for one in job.board.terrains if one.id not in known_terrains() and one.cost is not None]
    for terrain in own:
        yield words("rules.cost_own", terrain=terrain.name, amount=job.money(terrain.cost or 0))
    yield words("rules.link")
    yield words("rules.open_track")
    if job.board.lines:
        yield words("rules.major_lines")


def _build_up(job: HexJob) -> Iterator[str]:
    words, rules = job.words, job.board.rules
    yield words.count("rules.urbanize", rules.urbanize.cubes, amount=job.money(rules.urbanize.price))
    yield words("rules.upgrade", prices=", ".join(job.money(price) for price in rules.engine.prices))
    yield words("rules.repeat" if rules.turn.repeat_actions else "rules.no_repeat")


def _delivery(job: HexJob) -> Iterator[str]:
    words, delivery = job.words, job.board.rules.delivery
    yield words("rules.deliver")
    if not delivery.pass_own_colour:
        yield words("rules.no_passing")
    if delivery.first_link_own:
        yield words("rules.first_link")
    if delivery.links_of_others:
        yield words("rules.links_of_others")
    yield words.count("rules.link_points", delivery.points_per_link)
    yield words("rules.empty_city")


def _cards(job: HexJob) -> Iterator[str]:
    if job.board.operations:
        yield job.words("rules.take_card")
    if job.board.barons:
        yield job.words("rules.barons")


def _rotors(job: HexJob) -> Iterator[str]:
    rotors, words = job.board.rules.rotors, job.words
    if rotors.enabled:
        yield words("rules.rotor_both")
        yield words("rules.rotor_turns")
        if rotors.wheel:
            yield words("rules.wheel", colours=", ".join(words(f"colour.{colour}") for colour in rotors.wheel))


def _mines(job: HexJob) -> Iterator[str]:
    mines, words = job.board.rules.mines, job.words
    if mines.enabled:
        yield words.count("rules.mine_place", mines.uses, amount=job.money(mines.price))
        yield words.count("rules.mine_draw", mines.most_draws)


def _income(job: HexJob) -> Iterator[str]:
    income, words = job.board.rules.income, job.words
    yield words("rules.income_track")
    yield words("rules.bonds", value=job.money(income.bond_value), dividend=job.money(income.dividend))
    yield words("rules.bonds_repaid" if income.bonds_repaid else "rules.bonds_kept")


def _end(job: HexJob) -> Iterator[str]:
    end, words = job.board.rules.end, job.words
    yield words.count("rules.last_marker", end.turns_after)
    yield words("rules.trigger_undone" if end.trigger_undone else "rules.trigger_stays")
    yield words.count("rules.final", abs(end.bond_points))
