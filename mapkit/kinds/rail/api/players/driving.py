"""Matches where players written in Python decide: asking them, naming those that fail, and trying answers out.

A turn is played again with each answer more, from a copy of the state before it: compiled play cannot wait.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import Final

import numpy as np

from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.api.players.asking import BrokenPlayerError, ask_in_time
from mapkit.kinds.rail.api.players.questions import Outcome, Player, Question, QuestionReader
from mapkit.kinds.rail.playing import state as at
from mapkit.kinds.rail.playing.batch import MatchSetup
from mapkit.kinds.rail.playing.match import MOST_TURNS, play_part
from mapkit.kinds.rail.playing.policies import shipped_policy
from mapkit.kinds.rail.playing.state import Scratch, State, new_scratch, new_state

_KEY_STEP: Final = 0x9E3779B97F4A7C15
_MOST_HANGS: Final = 3
_KEY_MASK: Final = (1 << 63) - 1


@dataclass
class PlayerNotes:
    """Failures and times of players written in Python in a run."""

    matches: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    failures: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def add(self, name: str, decisions: int, seconds: float) -> None:
        """Add the decisions of a player in a match."""
        with self.lock:
            self.matches[name] += 1
            self.decisions[name] += decisions
            self.seconds[name] += seconds  # type: ignore[assignment] # a sum of fractions

    def add_failure(self, name: str, kind: str, match: int, message: str) -> None:
        """Add a match in which a player failed."""
        with self.lock:
            self.failures.setdefault((name, kind), {})[match] = message

    def is_given_up(self, name: str) -> bool:
        """Return whether a player has hung too often to be asked again."""
        return len(self.failures.get((name, "hangs"), ())) >= _MOST_HANGS

    def lines(self) -> tuple[str, ...]:
        """Return the notes, a line for each failure and for the speed of each player."""
        failed = [
            f"{name} {kind} in {count_noun(len(by_match), 'match', 'matches')}, first in "
            f"match {min(by_match)}: {by_match[min(by_match)]}; the player that it is based on played on"
            for (name, kind), by_match in sorted(self.failures.items())
        ]
        return *failed, *(
            f"{name}: {self.seconds[name] / self.decisions[name]:.3g} s a decision, "
            f"{self.seconds[name] / self.matches[name]:.3g} s a match"
            for name in sorted(self.decisions)
            if self.decisions[name]
        )


@dataclass(frozen=True)
class Seated:
    """A player written in Python at a table: name, the class that makes one for a match, and whether it is watched."""

    name: str
    make: Callable[[], Player]
    watched: bool = True


class Driver:
    """Drive of matches: `MatchSetup.drive`.

    Args:
        reader: Of the board.
        seated: The player of each place, None for those of weights alone.
        notes: Where failures go.
    """

    def __init__(self, reader: QuestionReader, seated: Sequence[Seated | None], notes: PlayerNotes) -> None:
        self._reader, self._seated, self._notes = reader, tuple(seated), notes

    def __call__(self, table: MatchSetup, state: State, scratch: Scratch, number: int) -> None:
        """Play match `number` to its end."""
        match = _DrivenMatch(self._reader, self._seated, self._notes, table, state, scratch, number)
        match.play()


class _DrivenMatch:
    """A match that is played turn by turn."""

    def __init__(
        self,
        reader: QuestionReader,
        seated: Sequence[Seated | None],
        notes: PlayerNotes,
        table: MatchSetup,
        state: State,
        scratch: Scratch,
        number: int,
    ) -> None:
        self._reader, self._seated, self._notes = reader, seated, notes
        self._table, self._state, self._scratch, self._number = table, state, scratch, number
        self._players: list[Player | None] = [None] * len(seated)
        self._decisions, self._seconds = [0] * len(seated), [0.0] * len(seated)
        self._trial: tuple[State, Scratch] | None = None
        self._asked = 0
        self._failed: set[int] = set()

    def play(self) -> None:
        """Play from the first roll to the end."""
        state = self._state
        state.asks[:] = [one is not None and not self._notes.is_given_up(one.name) for one in self._seated]
        self._step(self._number)
        while state.game[at.WINNER] == at.NONE and not state.game[at.TROUBLE]:
            self._step(-1)
        for one, decisions, seconds in zip(self._seated, self._decisions, self._seconds, strict=True):
            if one is not None:
                self._notes.add(one.name, decisions, seconds)
        state.asks[:] = 0

    def _step(self, number: int) -> None:
        """Play a turn, or with a number of a match its setting up, again with each answer more."""
        table, state = self._table, self._state
        turn_start = [array.copy() for array in _arrays(state)]
        answers: list[int] = []
        while True:
            _restore(state, turn_start, answers)
            play_part(table.track, state, table.terms, self._scratch, number, table.minds, 1)
            if state.question[at.ASKED] <= len(answers):
                state.asks[sorted(self._failed)] = 0
                return
            answers.append(self._answer(number, turn_start, answers))

    def _answer(self, number: int, turn_start: Sequence[np.ndarray], answers: list[int]) -> int:
        """Return the answer to the first question without one."""
        state, who = self._state, int(self._state.question[at.WHO])
        seated = self._seated[who]
        own_choice = int(state.question[at.CHOICE])
        if seated is None or who in self._failed:
            return own_choice
        codes = self._reader.codes(state)
        self._asked += 1
        key = self._table.seed ^ (_KEY_STEP * (1 + self._number * 1_000 + self._asked))

        def try_out(option: str, matches: int, first: int = 0) -> list[Outcome]:
            return [
                self._try(number, turn_start, [*answers, codes[option]], who, (key + _KEY_STEP * k) & _KEY_MASK)
                for k in range(first + 1, first + matches + 1)
            ]

        question = self._reader.read(state, codes, try_out)
        start = perf_counter()
        try:
            answer = codes[self._ask(seated, who, question)]
        except BrokenPlayerError as error:
            self._notes.add_failure(seated.name, error.kind, self._number, str(error))
            self._failed.add(who)
            self._trial = None  # a player who hangs may still use it
            return own_choice
        finally:
            self._decisions[who] += 1
            self._seconds[who] += perf_counter() - start
        return answer

    def _ask(self, seated: Seated, who: int, question: Question) -> str:
        player = self._players[who]
        if not seated.watched:
            player = self._players[who] = player or seated.make()
            return player.decide(question)
        if player is None:
            player = self._players[who] = ask_in_time(seated.make)
        answer = ask_in_time(lambda: player.decide(question))
        if not isinstance(answer, str) or answer not in question.options:
            shown = ", ".join(question.options)
            raise BrokenPlayerError("cheats", f"{question.decision}: {answer!r} is not one of {shown}")
        return answer

    def _try(self, number: int, turn_start: Sequence[np.ndarray], answers: list[int], who: int, key: int) -> Outcome:
        """Play the match on from the start of this turn, with other dice from the last answer on."""
        table = self._table
        if self._trial is None:
            self._trial = new_state(table.track, table.terms, table.seed), new_scratch(table.track)
        trial, scratch = self._trial
        minds = np.array([shipped_policy("tuned").weights()] * table.terms.players)
        minds[who] = table.minds[who]
        _restore(trial, turn_start, answers)
        trial.question[at.FORK], trial.question[at.FORK_KEY] = len(answers) - 1, key
        play_part(table.track, trial, table.terms, scratch, number, table.minds, 1)
        trial.asks[:] = 0
        play_part(table.track, trial, table.terms, scratch, -1, minds, MOST_TURNS)
        cash = trial.cash[: table.terms.players]
        return Outcome(bool(trial.game[at.WINNER] == who), int(cash[who] - np.delete(cash, who).max()))


def _arrays(state: State) -> list[np.ndarray]:
    """Return all arrays of a state but the events, of which the number counts."""
    return [*state.streams, *(getattr(state, name) for name in State._fields if name not in ("streams", "events"))]


def _restore(state: State, turn_start: Sequence[np.ndarray], answers: Sequence[int]) -> None:
    """Set a state to that at the start of a turn, with the answers given in it."""
    for array, earlier in zip(_arrays(state), turn_start, strict=True):
        np.copyto(array, earlier)
    state.answers[: len(answers)] = answers
    state.question[:] = 0
    state.question[at.GIVEN], state.question[at.FORK] = len(answers), at.NONE
