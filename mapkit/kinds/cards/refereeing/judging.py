"""Judgement of a log, step by step, up to the first one that breaks a rule."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.formats.rulings import FoulError, Ruling, raise_foul
from mapkit.kinds.cards.playing.terms import CardTerms
from mapkit.kinds.cards.refereeing import draft, operating, shares
from mapkit.kinds.cards.refereeing.position import SEATS, Position

Line = Mapping[str, Any]
_PASSES_TO_END: Final = 2
_STEPS: Final[Mapping[str, tuple[str, Callable[[Position, Line], None]]]] = {
    **draft.STEPS,
    **{name: ("trade", judge) for name, judge in shares.TRADES.items()},
    **operating.STEPS,
}
_ROW_BY_EXPECTED: Final = {
    "offer": "BA-S03",
    "choice": "BA-S01",
    "priority": "BA-C28",
    "trade": "BA-R03",
    "place": "BA-O01",
    "revenue": "BA-O07",
    "add": "BA-O01",
    "answer": "BA-O12",
    "discard": "BA-O18",
    "over": "BA-R06",
}
"""What is expected -> the row that says so."""
_RESULT_ROWS: Final[Mapping[str, tuple[str, str]]] = {
    "cash": ("BA-M02", "cash"),
    "till": ("BA-M02", "till"),
    "value": ("BA-M03", "share value"),
    "director": ("BA-D01", "Director"),
    "holder": ("BA-D04", "holder"),
    "railroads": ("BA-M09", "railroads"),
}
"""What a line may say of its results: key -> the row that is broken if it is wrong, and its name."""
_VALUE_ROWS: Final = {"start": "BA-B09", "pay": "BA-O08", "withhold": "BA-O09"}
_RAILROAD_ROWS: Final = {
    "money": "BA-C30",
    "investor": "BA-C30",
    "railroad": "BA-O11",
    "deal": "BA-O12",
    "accept": "BA-O12",
    "discard": "BA-O18",
}
"""Move -> the row that says what becomes of the card that it moves."""
_OBSOLETE_ROWS: Final = {4: "BA-X01", 6: "BA-X02", 8: "BA-X03", None: "BA-X04"}
"""Level that makes a card obsolete -> the row that says so."""
_BEFORE_TRADE: Final = ("offer", "choice", "priority")
_ORDER_ROWS: Final = {
    **{("discard", due): "BA-O13" for due in ("place", "revenue", "add")},
    **{(move, "discard"): "BA-O13" for move in ("railroad", "deal", "assign")},
}
"""Move and step that is due in an operating round -> the row of their order, if it is not that of what is due."""


class CardJudgement(Frozen):
    """Referee's judgement of the log of a card game."""

    file: str
    game: str
    steps: int = Field(description="How many are legal")
    over: bool = Field(description="Whether the game has come to its end")
    worth: dict[str, int] = Field(description="What both players are worth after the last legal step, dollars")
    broken: Ruling | None = Field(description="The first illegal step; none if all are legal")

    @property
    def exit_code(self) -> int:
        """Return 1 if a step is illegal."""
        return int(self.broken is not None)

    def summary(self) -> str:
        """Return the contents of a legal log in one sentence."""
        worth = ", ".join(f"{seat} has ${value:,}" for seat, value in self.worth.items())
        end = "" if self.over else "the game is not over; "
        return f"{self.file}: {self.steps:,} steps of {self.game}: all legal; {end}{worth}"


def judge(terms: CardTerms, lines: Sequence[Line], *, file: str) -> CardJudgement:
    """Judge the steps of a log.

    Args:
        terms: The game, with the rules that hold.
        lines: The objects after the head, whose ids are those of the game.
        file: The name of the log.
    """
    position = Position.at_start(terms)
    draft.next_pick(position)
    legal_count, broken_rule = 0, None
    for row, line in enumerate(lines, start=2):
        try:
            if "end" in line:
                _check_end(position, line)
            else:
                number = legal_count + 1
                if line.get("step", number) != number:
                    raise_foul("", f"step {line['step']} follows step {number - 1}; number steps from 1 on")
                due_phase, judge_it = _STEPS[line["move"]]
                if position.expects == "over":
                    raise_foul("BA-R06", "the game is over; nothing comes after its end")
                if position.expects != due_phase:
                    possible_moves = ", ".join(name for name, (phase, _) in _STEPS.items() if phase == position.expects)
                    broken_row = _own_row(position, line["move"]) or _ROW_BY_EXPECTED[position.expects]
                    raise_foul(broken_row, f"{line['move']} cannot come here; it may be {possible_moves}")
                if line["player"] != position.turn:
                    raise_foul(
                        _ROW_BY_EXPECTED[position.expects],
                        f"{line['player']} makes a step, and it is the turn of {position.turn}",
                    )
                judge_it(position, line)
                _continue_game(position)
                _check_results(position, line)
                legal_count += 1
        except FoulError as error:
            broken_rule = Ruling(line=row, rule=error.rule, message=error.message)
            break
    return CardJudgement(
        file=file,
        game=terms.game.id,
        steps=legal_count,
        over=position.expects == "over",
        worth={seat: position.worth(seat) for seat in SEATS},
        broken=broken_rule,
    )


def _own_row(at: Position, move: str) -> str | None:
    """Return the row that a misplaced move breaks itself; None if it only omits the step that is due."""
    phase, due = _STEPS[move][0], at.expects
    if phase in _BEFORE_TRADE and (phase == "priority" or due not in _BEFORE_TRADE[:2]):
        return _ROW_BY_EXPECTED[phase]
    if due in ("offer", "choice"):
        return None
    if due in ("priority", "trade"):
        return _ROW_BY_EXPECTED[due] if phase == "trade" else _stock_round_row(at)
    if phase == "trade":
        return "BA-R01"
    if (phase, due) == ("revenue", "add"):
        return "BA-O01" if operating.revenue(at, at.holding) else "BA-O06"
    return "BA-O12" if phase == "answer" else _ORDER_ROWS.get((move, due))


def _stock_round_row(at: Position) -> str:
    """Return the row of an operating step in a stock round: too early, or with too little sold."""
    if at.passed or at.last_dealer:
        return "BA-R04"
    return "BA-R01" if at.operates else "BA-B13"


def _continue_game(at: Position) -> None:
    """Go on to the next decision: the end of a stock round, the next holding, the next round."""
    if at.expects == "trade" and at.passed >= _PASSES_TO_END:
        if at.last_dealer:
            at.deal = SEATS[1 - SEATS.index(at.last_dealer)]
        at.stock_rounds += 1
        if at.stock_rounds < at.game.rules.rounds.stock:
            draft.begin_stock_round(at)
            return
        at.stock_rounds = 0
        _begin_operating_round(at)
    elif at.expects == "next":
        _operate_next_holding(at)


def _begin_operating_round(at: Position) -> None:
    """Begin an operating round, in the order of the holdings (BA-C13, BA-B13)."""
    at.waiting = [one.id for one in at.game.holdings if one.id in at.operates]
    _operate_next_holding(at)


def _operate_next_holding(at: Position) -> None:
    if at.waiting:
        at.holding = at.waiting.pop(0)
        at.expects, at.turn = "place", at.director[at.holding]
        return
    rounds = at.game.rules.rounds
    at.operating_rounds += 1
    is_last = at.operating_rounds >= rounds.operating
    if at.ends and (is_last or at.game.rules.disputes.end == "running"):
        at.expects = "over"
    elif not is_last:
        _begin_operating_round(at)
    else:
        if rounds.removes_top:
            operating.remove_top_card(at)
        at.operating_rounds = 0
        draft.begin_stock_round(at)


def _check_results(at: Position, line: Line) -> None:
    """Compare the stated results of a line with those of the rules."""
    result_by_key: dict[str, Mapping[str, object]] = {
        "cash": at.cash,
        "till": at.till,
        "value": {holding: at.value(holding) for holding in at.line},
        "director": at.director,
        "holder": at.holder,
        "railroads": at.trains,
    }
    stated_results = line.get("then", {})
    for key, (rule, result_name) in _RESULT_ROWS.items():
        for element_id, stated_value in stated_results.get(key, {}).items():
            right_value = result_by_key[key].get(element_id)
            is_equal = (
                sorted(stated_value) == sorted(at.trains[element_id])
                if key == "railroads"
                else stated_value == right_value
            )
            if not is_equal:
                broken_row = _value_row(at, line["move"], element_id) if key == "value" else rule
                broken_row = _railroads_row(at, line, element_id, stated_value) if key == "railroads" else broken_row
                raise_foul(
                    broken_row,
                    f"{result_name} of {element_id} is {_value_text(stated_value)} in the log; "
                    f"by the rules it is {_value_text(right_value)}",
                )


def _value_row(at: Position, move: str, holding: str) -> str:
    """Return the row of a share value after a move; a sale may lower it or not (BA-L06, BA-L07)."""
    if move in ("sell", "swap-down"):
        return "BA-L06" if at.line[holding] < at.sold_this_turn.get(holding, 0) else "BA-L07"
    return _VALUE_ROWS.get(move, _RESULT_ROWS["value"][0])


def _railroads_row(at: Position, line: Line, holding: str, said: Sequence[str]) -> str:
    """Return the row of the railroads of a holding: of obsolescence if others differ than the moved one."""
    right_counts, stated_counts = Counter(at.trains[holding]), Counter(said)
    moved_face = at.bargain[1] if line["move"] == "accept" else line.get("face")
    changed_face = next(
        (
            face_id
            for face_id in (right_counts - stated_counts) + (stated_counts - right_counts)
            if face_id != moved_face
        ),
        None,
    )
    if changed_face is None or line["move"] in ("money", "investor"):
        return _RAILROAD_ROWS.get(line["move"], _RESULT_ROWS["railroads"][0])
    known_faces = [face for railroad in at.game.railroads for face in railroad.faces if face.id == changed_face]
    return _OBSOLETE_ROWS.get(known_faces[0].gone_at, "BA-X01") if known_faces else _RESULT_ROWS["railroads"][0]


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _check_end(at: Position, line: Line) -> None:
    if line["end"] and at.expects != "over":
        raise_foul("BA-R06", "the log says that the game is over; no holding has reached the end of the track")
    for seat, stated_worth in line.get("worth", {}).items():
        if stated_worth != at.worth(seat):
            raise_foul(
                "BA-R07", f"{seat} is worth ${stated_worth:,} in the log; cash and shares make ${at.worth(seat):,}"
            )
