"""Each setting, option and preset changes how a match is played, or is about what people say and do (RB-V)."""

from functools import cache
from typing import get_args

import numpy as np
import pytest
from matches import board_with, log_of, quick
from tiny import tiny_board

from mapkit.core.errors import BoardError, RulesError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.terms import make_terms
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.paths import get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import PRESETS, Rules

AT_THE_TABLE = {
    "setup.freight_card",  # nothing but a card
    "setup.markers",
    "movement.thinking",
    "movement.take_back",
    "information.home",
    "fees.per",  # there is one value
    "information.cash_lies",
    "options.software_lookup",
    # what players may do, and players of mapkit do not: they ask for every fee, and sell what they offer
    "fees.compulsory",
    "auction.withdrawal",
}
"""Settings that a match played by computer does not depend on."""
OTHERWISE: dict[str, object] = {
    "setup.min_players": 3,
    "setup.max_players": 5,
    "setup.starting_engine": "express",
    "bonus.superchief_timing": "with-normal-roll",
    "options.superchief_prices.two": 41_000,
    "group_purchase.groups": [{"name": "Coast", "members": ("blue", "green"), "price": 12_000}],
}
"""Other values, where the next one or the other one will not do."""
BASE = {
    "setup": {"same_home": "allowed"},
    "options": {"superchief_by_players": True},
    "two_players": {"third_owner": True},
    "net_worth": {"enabled": True, "target": {"two": 350_000}},
    "group_purchase": {"enabled": True, "groups": [{"name": "Coast", "members": ("blue", "green"), "price": 13_000}]},
}
"""Rules by which every setting plays a part."""


@cache
def board() -> Board:
    plain = tiny_board()
    blue = plain.railroads[0].model_copy(update={"public": True})
    return plain.model_copy(update={"railroads": (blue, *plain.railroads[1:])})


def played_by(rules: Rules) -> list[object]:
    """Return what matches of 2 to 6 players read of some rules, or that so many cannot play by them."""
    out: list[object] = []
    for players in range(2, 7):
        try:
            terms = make_terms(board(), rules, players)
        except (BoardError, RulesError) as error:
            out.append(str(error))
        else:
            out.append([value.tolist() if isinstance(value, np.ndarray) else value for value in terms])
    return out


def other(path: str) -> object:
    """Return another value of a setting."""
    if path in OTHERWISE:
        return OTHERWISE[path]
    rules = Rules.model_validate(BASE)
    now = get_setting(rules, path)
    if isinstance(now, bool):
        return not now
    if isinstance(now, int):
        return now + 1
    group, _, name = path.partition(".")
    kind = type(getattr(rules, group)).model_fields[name].annotation
    return next(value for value in get_args(kind) if value != now)


@pytest.mark.parametrize("path", [p for p in setting_paths(Rules) if p not in ("preset", "house.words")])
def test_v19_each_setting_changes_what_a_match_reads_or_is_of_the_table(path: str) -> None:
    if path == "fees.per":
        return
    rules = Rules.model_validate(BASE)
    if path == "setup.min_players":  # the third owner is for two
        rules = apply_rule_changes(rules, {"two_players.third_owner": False})
    changed = apply_rule_changes(rules, {path: other(path)})
    assert (played_by(changed) == played_by(rules)) is (path in AT_THE_TABLE)


@pytest.mark.parametrize("preset", PRESETS)
def test_v18_v19_matches_of_each_preset_are_legal(preset: str) -> None:
    on = board_with(quick(preset=preset))
    head, events = log_of(on, players=3, policies=("balanced",), seed=3)
    verdict = judge(on, head, events, file="x")
    assert verdict.broken is None
    assert events[-1].does == "wins"


def test_v14_half_time_play_is_its_options_together() -> None:
    half = apply_rule_changes(Rules(preset="ici"), options_on=["half-time"])
    terms = make_terms(board(), half, 4)
    assert (terms.cash, terms.superchief_price, terms.free_upgrade, terms.opening_auctions) == (40_000, 36_000, 1, 1)
