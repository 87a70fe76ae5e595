"""A log for each refusal of the referee of card games: its last step is refused, with the row that it breaks."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from cardgames import changed, game, terms
from refusals import refusing_calls, rows_in, sites_of

from mapkit.formats.rulings import FoulError
from mapkit.kinds.cards import refereeing
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.playing.log import FIELDS
from mapkit.kinds.cards.playing.terms import CardTerms, compile_terms
from mapkit.kinds.cards.refereeing import judging
from mapkit.kinds.cards.refereeing.judging import judge
from mapkit.kinds.cards.rules.book import card_rows

Line = dict[str, Any]


class Case(NamedTuple):
    """Steps of a game as `player move fields`, commas between them, of which the last is refused."""

    row: str
    steps: str
    of: Callable[[], CardTerms] = terms
    more: Mapping[str, Any] = MappingProxyType({})
    """Fields that the last line has too."""


def lines_of(steps: str) -> list[Line]:
    """Return steps as the lines of a log."""
    found: list[Line] = []
    for step in steps.split(","):
        player, move, *values = step.split()
        named = ((name, value) for (name, _), value in zip(FIELDS[move], values, strict=True))
        found.append({"player": player, "move": move} | {name: int(v) if v.isdecimal() else v for name, v in named})
    return found


def one_of_each(ident: str, found: CardGame) -> CardGame:
    """Return the game with one railroad of some categories only."""
    kept = tuple(one.model_copy(update={"count": 1}) for one in found.railroads if one.id in ident)
    return found.model_copy(update={"railroads": kept})


def short_stack() -> CardTerms:
    return compile_terms(one_of_each("aeg", game()))


def two_switches() -> CardTerms:
    """Return the game in which i60 can switch the Priority Deal too."""
    found = game()
    effects = next(one.effects for one in found.investors if one.id == "i30")
    investors = [one.model_copy(update={"effects": effects}) if one.id == "i60" else one for one in found.investors]
    return compile_terms(found.model_copy(update={"investors": tuple(investors)}))


DRAFT = "A offer i450 396, B money, B offer i30 0, A money, B offer i60 0, A money, A offer i50 0, B money"
"""A has 40 % of marley at 100 and 240; B has 636 and may switch the Priority Deal."""
STOCK = f"{DRAFT}, B go-on"
SHARES = f"{STOCK}, A buy marley-10, B buy marley-30"
OPERATING = f"{SHARES}, A pass, B pass"
"""Marley operates, with one railroad and a till of 1,000."""
ADDING = f"{OPERATING}, A place 0 2, A withhold"
BOTH = (
    f"{STOCK}, A pass, B start mcgreed 90, A buy mcgreed-10, B buy marley-10, A pass, B pass,"
    "A place 0 2, A withhold, A end, B place 0 2"
)
"""Mcgreed, of B, adds railroads; it has none, and a till of 900."""
POOR = (
    "A offer i450 124, B money, B offer i30 0, A money, B offer i60 0, A money, A offer i50 0, B money,"
    "B go-on, A pass, B start mcgreed 90, A buy mcgreed-10, B pass, A pass, B place 0 2"
)
RICH = "A offer i450 396, B money, B offer i30 800, A money, B offer i60 0, A money, A offer i50 0, B money,B go-on"
LEVELS = f"{OPERATING}, A place 0 4, A withhold, A railroad e-4, A railroad g-5"
ENDED = f"{OPERATING}, A place 0 2, A pay, A end"


def capital(of: int) -> Callable[[], CardTerms]:
    return lambda: changed("market", capital=of)


def long_steps() -> CardTerms:
    return changed("market", dividend_up=99)


CASES = (
    Case("", "A offer i450 396", more={"step": 2}),
    # the draft
    Case("BA-S01", "A offer i450 396, B money, B offer i450 0"),
    Case("BA-S01", "A offer i450 396, A money"),
    Case("BA-S01", f"{DRAFT}, B money"),
    Case("BA-S02", "A offer i450 1", lambda: changed("setup", bids="face")),
    Case("BA-S03", "A offer i450 396, B money, A offer i30 0"),
    Case("BA-S03", "A money"),
    Case("BA-S03", f"{DRAFT}, B offer i40 0"),
    Case("BA-C28", f"{DRAFT}, B pass"),
    Case("BA-C28", f"{DRAFT}, B switch i60"),
    Case("BA-C28", f"{DRAFT}, A go-on"),
    Case("BA-C28", f"{STOCK}, A switch i30"),
    Case(
        "BA-C28",
        f"{DRAFT}, B switch i30, B pass, A pass, B switch i30",
        two_switches,
    ),
    Case("BA-C30", "A offer i450 396, B investor", more={"then": {"railroads": {"marley": []}}}),
    # stock rounds
    Case("BA-R03", f"{STOCK}, B pass"),
    Case("BA-R03", f"{STOCK}, A buy marley-10, A pass"),
    Case("BA-R03", f"{STOCK}, A done"),
    Case("BA-R03", f"{SHARES}, A sell marley-10, A pass"),
    Case("BA-R04", f"{STOCK}, A pass, B place 0 2"),
    Case("BA-B13", f"{STOCK}, A pass, B pass, B place 0 2"),
    Case("BA-R01", f"{ADDING}, A end, A place 0 0, A withhold, A end, A place 0 2"),
    Case("BA-L01", f"{STOCK}, A pass, B sell marley-40"),
    Case("BA-L01", f"{STOCK}, A sell marley-10"),
    Case("BA-L02", f"{SHARES}, A swap-down marley-10 marley-20"),
    Case("BA-L02", f"{SHARES}, A swap-down marley-40 marley-20"),
    Case("BA-L02", f"{SHARES}, A swap-down marley-30 marley-20"),
    Case("BA-L04", f"{STOCK}, A sell marley-40"),
    Case("BA-L06", f"{SHARES}, A sell marley-10", more={"then": {"value": {"marley": 100}}}),
    Case("BA-L07", f"{SHARES}, A pass, B sell marley-30", more={"then": {"value": {"marley": 90}}}),
    Case("BA-B01", f"{STOCK}, A buy marley-10, B buy marley-10"),
    Case("BA-B02", f"{STOCK}, A buy seedy-10"),
    Case("BA-B02", f"{STOCK}, A start marley 100"),
    Case("BA-B03", f"{STOCK}, A start seedy 70"),
    Case("BA-B03", f"{STOCK}, A buy marley-30"),
    Case("BA-B04", f"{STOCK}, A pass, B buy marley-30, A pass, B swap-up marley-30 marley-20"),
    Case("BA-B04", f"{SHARES}, A swap-up marley-10 seedy-20"),
    Case("BA-B04", f"{SHARES}, A swap-up marley-10 marley-30"),
    Case("BA-B04", f"{SHARES}, A pass, B swap-up marley-10 marley-20"),
    Case("BA-B06", f"{SHARES}, A sell marley-10, A buy marley-10"),
    Case(
        "BA-B06",
        f"{RICH}, A buy marley-10, B pass, A buy marley-20, B pass, A sell marley-10, A swap-up marley-20 marley-30",
    ),
    Case("BA-B08", f"{STOCK}, A buy marley-10", lambda: changed("limits", certificates=1)),
    Case("BA-B09", f"{STOCK}, A pass, B start seedy 110"),
    Case("BA-B09", f"{STOCK}, A pass, B start seedy 90", more={"then": {"value": {"seedy": 100}}}),
    Case("BA-M02", f"{STOCK}, A buy marley-10", more={"then": {"cash": {"A": 130}}}),
    Case("BA-M02", f"{SHARES}", more={"then": {"till": {"marley": 900}}}),
    Case("BA-M03", f"{STOCK}, A buy marley-10", more={"then": {"value": {"marley": 110}}}),
    Case("BA-M04", f"{STOCK}, A buy marley-20", lambda: changed("limits", player_stock=50)),
    Case("BA-M05", f"{SHARES}, A sell marley-10", lambda: changed("limits", bank_stock=20)),
    Case("BA-D01", f"{SHARES}", more={"then": {"director": {"marley": "B"}}}),
    Case("BA-D04", f"{SHARES}", more={"then": {"holder": {"marley-30": "A"}}}),
    Case(
        "BA-D06",
        f"{RICH}, A start seedy 70, B buy marley-30, A buy seedy-10, B buy marley-20, A buy seedy-20,"
        "B buy marley-10, A pass",
        lambda: changed("limits", certificates=4),
    ),
    # operating rounds
    Case("BA-R01", f"{OPERATING}, A buy marley-20"),
    Case("BA-O01", f"{OPERATING}, B place 0 2"),
    Case("BA-O01", f"{OPERATING}, A railroad a-2"),
    Case("BA-O01", f"{ADDING}, A pay"),
    Case("BA-O02", f"{OPERATING}, A place 1 6"),
    Case("BA-O03", f"{ADDING}, A railroad a-2, A railroad a-2, A railroad a-2"),
    Case("BA-O03", f"{ADDING}, A railroad a-2, A railroad a-2, A assign i50"),
    Case("BA-O03", f"{ADDING}, A railroad a-2, A assign i50, A railroad a-2"),
    Case("BA-O03", f"{OPERATING}, A place 0 0, A pay, A railroad a-2"),
    Case("BA-O03", f"{BOTH}, B deal marley a-2 5, A refuse, B deal marley a-2 6, A accept, B railroad a-2"),
    Case("BA-O05", f"{OPERATING}, A place 2 2"),
    Case("BA-O06", f"{BOTH}, B pay"),
    Case("BA-O07", f"{OPERATING}, A place 0 2, A end"),
    Case("BA-O07", f"{OPERATING}, A place 0 2, B pay"),
    Case("BA-O08", f"{OPERATING}, A place 0 2, A pay", more={"then": {"value": {"marley": 100}}}),
    Case("BA-O09", ADDING, more={"then": {"value": {"marley": 110}}}),
    Case("BA-O11", f"{ADDING}, A railroad c-3"),
    Case("BA-O11", f"{ADDING}, A railroad a-2", more={"then": {"railroads": {"marley": ["a-2"]}}}),
    Case("BA-O12", f"{BOTH}, B deal marley b-2 5"),
    Case("BA-O12", f"{BOTH}, B deal marley a-2 0"),
    Case("BA-O12", f"{BOTH}, B deal marley a-2 901"),
    Case("BA-O12", f"{BOTH}, B deal marley a-2 5, B accept"),
    Case("BA-O12", f"{ADDING}, A accept"),
    Case("BA-O12", f"{BOTH}, B deal marley a-2 5, A accept", more={"then": {"railroads": {"mcgreed": []}}}),
    Case("BA-O13", f"{ADDING}, A discard a-2"),
    Case("BA-O13", f"{OPERATING}, A place 0 6, A withhold, A end, A railroad a-2"),
    Case("BA-O15", f"{OPERATING}, A place 0 3, A withhold, A railroad a-2, A railroad a-2", capital(1)),
    Case("BA-O15", f"{POOR}, B railroad a-2", capital(1)),
    Case("BA-O16", f"{ADDING}, A assign i60"),
    Case("BA-O16", f"{ADDING}, A assign i50, A assign i50"),
    Case("BA-O18", f"{OPERATING}, A place 0 6, A withhold, A end, A end"),
    Case("BA-O18", f"{OPERATING}, A place 0 6, A withhold, A end, B discard a-2"),
    Case("BA-O18", f"{OPERATING}, A place 0 6, A withhold, A end, A discard b-2"),
    Case(
        "BA-O18",
        f"{OPERATING}, A place 0 6, A withhold, A end, A discard a-2",
        more={"then": {"railroads": {"marley": ["a-2"]}}},
    ),
    Case("BA-M09", ADDING, more={"then": {"railroads": {"marley": ["a-2", "unknown"]}}}),
    Case("BA-X01", ADDING, more={"then": {"railroads": {"marley": []}}}),
    Case(
        "BA-X02",
        f"{OPERATING}, A place 0 4, A withhold, A railroad a-2, A railroad a-2, A railroad a-2,A railroad b-3, A end",
        more={"then": {"railroads": {"marley": ["a-2", "a-2", "a-2", "a-2"]}}},
    ),
    Case("BA-X03", f"{LEVELS}, A end", short_stack, {"then": {"railroads": {"marley": ["g-5"]}}}),
    Case("BA-X04", f"{LEVELS}, A end", short_stack, {"then": {"railroads": {"marley": ["e-4"]}}}),
    # the end
    Case("BA-R06", f"{ENDED}, A pass", long_steps),
)
ENDS = (
    ("BA-R06", STOCK, terms, {"end": True}),
    ("BA-R07", ENDED, long_steps, {"end": True, "worth": {"A": 1}}),
)


def log_of(case: Case) -> list[Line]:
    lines = lines_of(case.steps)
    return [*lines[:-1], lines[-1] | dict(case.more)]


LOGS = [
    *((case.row, case.of, log_of(case)) for case in CASES),
    *((row, of, [*lines_of(steps), end]) for row, steps, of, end in ENDS),
]


@pytest.mark.parametrize(("row", "of", "lines"), LOGS, ids=[f"{n}-{row}" for n, (row, *_) in enumerate(LOGS)])
def test_the_last_step_is_refused_with_the_row_that_it_breaks(
    row: str, of: Callable[[], CardTerms], lines: list[Line]
) -> None:
    assert judge(of(), lines[:-1], file="log").broken is None
    broken = judge(of(), lines, file="log").broken
    assert broken is not None, lines[-1]
    assert (broken.line, broken.rule) == (len(lines) + 1, row), broken.message


class NeverError(Exception):
    """What no referee raises."""


def test_each_refusal_has_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "FoulError", NeverError)  # so that refusals come here, with the calls that they are of
    sites = refusing_calls(refereeing, {"foul"})
    used = set()
    for _, of, lines in LOGS:
        with pytest.raises(FoulError) as refused:
            judge(of(), lines, file="log")
        used |= set(sites_of(refused.value, sites))
    assert sites - used == set()
    assert rows_in(refereeing) - {row for row, *_ in LOGS} == set()


def test_rows_are_rows_of_the_rules() -> None:
    assert {row for row, *_ in LOGS} - {""} <= {row.id for row in card_rows().rows}
