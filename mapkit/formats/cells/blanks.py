"""Tables in text copied from a PDF or a page: blanks between the cells, lines wrapped anywhere.

Blanks say nothing sure: a name may hold some, and an empty cell leaves no trace. So the text is taken as a stream of
names and amounts. Amounts belong to the name before them; other names before it are the header. Where names stand
in a row, the ones that are known (the board's, or those that begin rows) show where one ends.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.line_marks import names_at_ends, without_numbers, without_remarks
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, guarded
from mapkit.formats.marks import FRACTION, is_mark, looks_like_amount

Fit = Callable[[str], int]
"""Says how well a text is known as a name: 2 as spelled, 1 loosely, 0 not."""

_CHUNK = re.compile(r"\S+(?:[ \u00a0]\S+)*")
_WORD = re.compile(r"\S+")
_LOOSE_FRACTION = re.compile(rf"(?<=\d)[ \u00a0](?={FRACTION})")
_LOOSE_SIGN = re.compile(r"([$£€¥])[ \u00a0]+(?=\d)")
_PAGE = re.compile(r"\s*(?:-\s*)?page\s+\d+(?:\s*(?:of|/)\s*\d+)?(?:\s*-)?\s*", re.IGNORECASE)
_TITLE = re.compile(r"\b(?:pay-?offs?|charts?|tables?|thousands?|dollars?|matrix)\b", re.IGNORECASE)
_CORNERS = frozenset({"city", "cities", "town", "from", "to", "fromto", "destination", "origin"})
_LONGEST_NAME = 6
_UNKNOWN_WORD, _LOOSE_NAME, _KNOWN_NAME, _OVER_GAP = 1.0, 0.05, 0.01, 0.1


class _Word(NamedTuple):
    text: str
    line: int
    column: int
    chunk: int


@dataclass
class _Run:
    """Words of names between amounts."""

    words: list[_Word] = field(default_factory=list)


def blank_separated(
    text: str, *, file: str, fit: Fit | None = None, near: Callable[[str], bool] = lambda _: False
) -> Table:
    """Read a table whose cells have blanks between them.

    Args:
        text: The text.
        file: What to call it in messages.
        fit: Says how well a text is known as a city's name; by default the names that begin rows are known.
        near: Says whether a text may be a misspelt name.

    Raises:
        SourceError: There are no amounts, amounts that follow no name, or names that no amounts follow.
    """
    notes: list[str] = []
    lines = without_numbers(_without_titles(text, notes), notes)
    if fit is not None:
        lines = without_remarks(lines, fit, near, notes)
    items = list(_items(lines, file, ends=names_at_ends(lines)))
    if fit is None:
        own = _row_starts("\n".join(lines))

        def fit(name: str) -> int:
            return 2 if fold(name) in own else 0

    rows: list[list[Cell]] = []
    for at, item in enumerate(items):
        if isinstance(item, Cell):
            if not rows or len(rows[-1]) == 0:
                raise SourceError(f"{item.where}: {item.text!r} follows no city; begin each row with its city")
            rows[-1].append(item)
        else:
            _take_names(rows, _names(item.words, file, fit), last=at == len(items) - 1)
    if not any(isinstance(item, Cell) for item in items):
        raise SourceError(f"{file}: no amounts in it; is it a payoff chart?")
    return Table("text", guarded([tuple(row) for row in rows], file=file), notes=tuple(notes))


def _row_starts(text: str) -> set[str]:
    """Return, folded, what stands before the first amount of each line that has amounts."""
    out = set()
    for line in text.split("\n"):
        words = line.split()
        count = next((k for k, word in enumerate(words) if looks_like_amount(word)), 0)
        out.add(fold(" ".join(words[:count])))
    return out - {""}


def _without_titles(text: str, notes: list[str]) -> list[str]:
    """Return the lines of a text, page numbers and title lines blanked out."""
    out = []
    for number, raw in enumerate(text.expandtabs(8).split("\n"), start=1):
        if _PAGE.fullmatch(raw) or (_TITLE.search(raw) and not re.search(r"\d\s+\d", raw)):
            notes.append(f"line {number} was left out: {raw.strip()[:80]!r}")
            out.append("")
        else:
            out.append(_LOOSE_FRACTION.sub("-", _LOOSE_SIGN.sub(r"\1", raw)))
    return out


def _items(lines: Sequence[str], file: str, *, ends: bool) -> Iterator[Cell | _Run]:
    """Yield runs of words and the amounts between them; names at the ends of rows come before their amounts."""
    run = _Run()
    count = chunks = 0
    for number, line in enumerate(lines, start=1):
        words: list[_Word] = []
        for chunk in _CHUNK.finditer(line):
            chunks += 1
            words += _amounts_apart(chunk, number, chunks)
        count += len(words)
        if count > MAX_CELLS:
            raise SourceError(f"{file}: more than {MAX_CELLS:,} words; split the file")
        at = next((k for k in range(len(words), 0, -1) if not words[k - 1].chunk), 0) if ends else 0
        for word in (*words[at:], *words[:at]):
            if word.chunk:
                run.words.append(word)
                continue
            if run.words:
                yield run
                run = _Run()
            yield Cell(word.text, f"{file}:{number}:{word.column}")
    if run.words:
        yield run


def _amounts_apart(chunk: re.Match[str], line: int, number: int) -> Iterator[_Word]:
    """Yield the words of a chunk; amounts have chunk 0. A mark between words of a name belongs to the name."""
    words = list(_WORD.finditer(chunk[0]))
    kinds = [looks_like_amount(w[0]) for w in words]
    for k, word in enumerate(words):
        inside = is_mark(word[0]) and 0 < k < len(words) - 1 and not kinds[k - 1] and not kinds[k + 1]
        amount = kinds[k] and not inside
        yield _Word(word[0], line, chunk.start() + word.start() + 1, 0 if amount else number)


def _names(words: list[_Word], file: str, fit: Fit) -> list[Cell]:
    """Cut a run of words into names so that as many words as can be are part of a known one."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(words) + 1):
        options = []
        for start in range(max(0, end - _LONGEST_NAME), end):
            piece = words[start:end]
            gaps = piece[-1].chunk - piece[0].chunk
            known = fit(" ".join(w.text for w in piece))
            if known:
                cost = (0.0, _LOOSE_NAME, _KNOWN_NAME)[known] + _OVER_GAP * gaps
            elif gaps:
                continue
            else:
                cost = _UNKNOWN_WORD * len(piece) + _KNOWN_NAME
            options.append((best[start][0] + cost, start))
        best.append(min(options))
    cuts = [len(words)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][1])
    pieces = [words[a:b] for a, b in zip(cuts[::-1], cuts[-2::-1], strict=False)]
    return [Cell(" ".join(w.text for w in p), f"{file}:{p[0].line}:{p[0].column}") for p in pieces]


def _take_names(rows: list[list[Cell]], names: list[Cell], *, last: bool) -> None:
    """Give names their places: a label repeated at the end of its row, a header, labels of rows."""
    if len(names) > 1 and fold(names[0].text) in _CORNERS:
        names = names[1:]
    if rows and names and rows[-1] and fold(names[0].text) == fold(rows[-1][0].text):
        names = names[1:]
    if not names:
        return
    corner = Cell("", names[0].where)
    if last:
        rows.extend([[names[0]]] if len(names) == 1 else [[corner, *names]])
        return
    header, label = names[:-1], names[-1]
    if len(header) > 1 and fold(header[-1].text) in {fold(cell.text) for cell in header[:-1]}:
        rows.extend([[corner, *header[:-1]], [header[-1]]])
    elif len(header) == 1:
        rows.append(header)
    elif header:
        rows.append([corner, *header])
    rows.append([label])
