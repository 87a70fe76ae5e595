"""What checks of card games find; each docstring is printed in `docs/reference/checks-cards.md`."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Final

from mapkit.core.checks import Check, Found
from mapkit.core.errors import did_you_mean
from mapkit.core.findings import Place, Severity
from mapkit.core.plurals import counted
from mapkit.drawing.colours.colour import ciede2000, lab, rgb
from mapkit.drawing.colours.vision import VISIONS, simulated
from mapkit.kinds.cards.game import CardGame, CardPart, Effect
from mapkit.kinds.cards.render.cards import cut_texts
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.rules.effects import EFFECTS

_WHOLE: Final = 100
_PART: Final = 10
_APART: Final = 10.0

CardCheck = Check[CardGame]


def _place(part: CardPart) -> Place:
    return Place(file=part.file or None, row=part.row)


def _hundred(game: CardGame) -> Iterator[Found]:
    """The certificates of a holding add to 100 per cent (BA-C14)."""
    for holding in game.holdings:
        total = sum(one.percent for one in holding.certificates)
        if total != _WHOLE:
            message = f"certificates of {holding.name} add to {total} %; make them add to {_WHOLE} %"
            yield Found(message, (holding.id,), _place(holding))


def _tens(game: CardGame) -> Iterator[Found]:
    """A share value is the price of 10 per cent, so that certificates are of whole tens (BA-M03)."""
    for holding in game.holdings:
        for one in holding.certificates:
            if one.percent % _PART:
                message = f"certificate {one.id} is of {one.percent} %; give it 10, 20, 30 or another whole ten"
                yield Found(message, (one.id,), _place(one))


def _directors(game: CardGame) -> Iterator[Found]:
    """Each holding has one Director's certificate, and it is the largest (BA-C14, BA-D01)."""
    for holding in game.holdings:
        chairs = [one for one in holding.certificates if one.director]
        if len(chairs) != 1:
            count = counted(len(chairs), "Director's certificate")
            ids = tuple(one.id for one in chairs) or (holding.id,)
            yield Found(f"{holding.name} has {count}; mark one", ids, _place(chairs[-1] if chairs else holding))
        elif chairs[0].percent < max(one.percent for one in holding.certificates):
            message = f"the Director's certificate of {holding.name} is not its largest; mark the largest"
            yield Found(message, (chairs[0].id,), _place(chairs[0]))


def _tokens(game: CardGame) -> Iterator[Found]:
    """Tokens agree with the holdings: as many operators as each says, and one marker (BA-C03)."""
    if not game.tokens:
        return
    for holding in game.holdings:
        for use, wanted in (("operator", holding.operators), ("marker", 1)):
            found = sum(one.count for one in game.tokens if (one.holding, one.use) == (holding.id, use))
            if found != wanted:
                message = f"{holding.name} needs {counted(wanted, use)}, tokens.csv has {found}; change one of them"
                yield Found(message, (holding.id, use), _place(holding))


def _decks(game: CardGame) -> Iterator[Found]:
    """Decks have as many cards as they say (BA-C02)."""
    have = {
        "railroads": sum(one.count for one in game.railroads),
        "investors": len(game.investors),
        "certificates": sum(len(one.certificates) for one in game.holdings),
        "holdings": len(game.holdings),
    }
    for deck in game.decks:
        if deck.count is not None and deck.cards in have and have[deck.cards] != deck.count:
            message = f"{deck.id} is to have {counted(deck.count, 'card')}, the tables have {have[deck.cards]}"
            yield Found(f"{message}; change one of them", (deck.id,), _place(deck))


def _obsolete(game: CardGame) -> Iterator[Found]:
    """A railroad goes at a level that comes, and that is higher than its own (BA-X01 to BA-X03)."""
    levels = {face.number for one in game.railroads for face in one.faces}
    for one in game.railroads:
        for face in one.faces:
            if face.gone_at is None:
                continue
            if face.gone_at <= face.number:
                message = f"{face.id} goes at level {face.gone_at}, and is itself of level {face.level}"
                yield Found(f"{message}; give a higher level", (face.id,), _place(face))
            elif face.gone_at not in levels:
                message = f"{face.id} goes at level {face.gone_at}, which no railroad has"
                yield Found(f"{message}; give a level of a face, or leave it empty", (face.id,), _place(face))


def _effects(game: CardGame) -> Iterator[Found]:
    """Effects are words of the vocabulary, with the values that they need (BA-C28 to BA-C30)."""
    every: list[Effect] = [*game.unassigned, *(effect for one in game.investors for effect in one.effects)]
    for effect in every:
        kind = EFFECTS.get(effect.kind)
        if kind is None:
            known = ", ".join(EFFECTS)
            message = f"effect {effect.kind!r} is not known{did_you_mean(effect.kind, EFFECTS)}; write one of {known}"
            yield Found(message, (effect.id,), _place(effect))
            continue
        missing = [name for name in kind.needs if getattr(effect, name) in (None, "")]
        if missing:
            message = f"effect {effect.kind} of {effect.id} needs {', '.join(missing)}; fill the column"
            yield Found(message, (effect.id,), _place(effect))


def _rises(game: CardGame) -> Iterator[Found]:
    """Share values rise from line to line (BA-C05)."""
    given = [(one, one.value) for one in game.track if one.value is not None]
    for (below, low), (above, high) in pairwise(given):
        if high <= low:
            message = f"{above.id} is worth {high}, {below.id} below it {low}; let values rise"
            yield Found(message, (below.id, above.id), _place(above))


def _ends(game: CardGame) -> Iterator[Found]:
    """The track has spaces to start from, and one where the game ends (BA-B09, BA-R06)."""
    if not any(one.start and one.value is not None for one in game.track):
        yield Found("no space of the track is one to start from; mark some in track.csv", ("start",))
    if sum(one.end for one in game.track) != 1 or not game.track[-1].end:
        yield Found("the last space of the track, and it alone, ends the game; mark it in track.csv", ("end",))


def _gaps(game: CardGame) -> Iterator[Found]:
    """Spaces without a value: the source gives none (BA-C05). A variant may fill in an example."""
    empty = [one for one in game.track if one.value is None]
    if empty:
        message = f"{counted(len(empty), 'space')} of the track without a value; give values, or take the example"
        yield Found(message, tuple(one.id for one in empty), _place(empty[0]))


def _example(game: CardGame) -> Iterator[Found]:
    """Values of the track are an example, not those of the published game."""
    if game.track_is_example:
        yield Found("share values are an example of mapkit's; name them so where you publish", ("track",))


def _dearer(game: CardGame) -> Iterator[Found]:
    """Dearer railroads earn more; the published last face does not, see D43."""
    faces = [face for one in game.railroads for face in one.faces]
    for one, other in pairwise(sorted(faces, key=lambda face: (face.cost, face.income))):
        if one.cost < other.cost and one.income > other.income:
            message = f"{other.id} costs {other.cost} and earns {other.income}, {one.id} costs {one.cost} and earns"
            yield Found(f"{message} {one.income}; check both", (one.id, other.id), _place(other))


def _stack(game: CardGame) -> Iterator[Found]:
    """The stack is in order of categories, A on top (BA-C27)."""
    for above, below in pairwise(game.railroads):
        if above.category > below.category:
            message = f"{below.id} of category {below.category} lies under {above.id} of {above.category}"
            yield Found(f"{message}; move its row up", (above.id, below.id), _place(below))


def _unnamed(game: CardGame) -> Iterator[Found]:
    """Railroads without a name: the source gives none (BA-C26)."""
    count = sum(one.count for one in game.railroads if not one.name)
    if count:
        yield Found(f"{counted(count, 'railroad')} without a name; name them in railroads.csv", ("railroads",))


def _open(game: CardGame) -> Iterator[Found]:
    """Effects whose investor the source does not name (BA-C29, D49)."""
    for effect in game.unassigned:
        message = f"effect {effect.id} belongs to no investor yet; name one in effects.csv"
        yield Found(message, (effect.id,), _place(effect))


def _colours(game: CardGame) -> Iterator[Found]:
    """Colours of holdings are told apart, with full sight of colours and without one kind of cones."""
    for one, other in combinations(game.holdings, 2):
        for vision in VISIONS:
            seen = [lab(simulated(rgb(holding.colour), vision)) for holding in (one, other)]
            apart = float(ciede2000(*seen))
            if apart < _APART:
                message = f"{one.name} and {other.name} are {apart:.1f} apart for {vision} sight"
                cure = f"have {_APART:.0f} or more"
                yield Found(f"{message}; {cure}", (one.id, other.id), _place(other))
                break


def _doubles(game: CardGame) -> Iterator[Found]:
    """Holdings have names of their own."""
    names = Counter(one.name for one in game.holdings)
    for one in game.holdings:
        if names[one.name] > 1:
            yield Found(f"{counted(names[one.name], 'holding')} called {one.name}; rename one", (one.id,), _place(one))


def _fits(game: CardGame) -> Iterator[Found]:
    """Texts fit poker cards at 6 points or more; what does not fit is cut where it is printed."""
    parts: dict[str, CardPart] = {f"holding-{one.id}": one for one in game.holdings}
    parts |= {f"certificate-{one.id}": holding for holding in game.holdings for one in holding.certificates}
    parts |= {f"railroad-{one.id}-{face.id}": one for one in game.railroads for face in one.faces}
    parts |= {f"investor-{one.id}": one for one in game.investors}
    for face, text in cut_texts(CardJob(game)):
        place = _place(parts[face]) if face in parts else Place(file="board.toml")
        yield Found(f"{text[:60]!r} does not fit card {face}; shorten it", (face,), place)


def _closes(game: CardGame) -> Iterator[Found]:
    """Every level that makes railroads go comes whichever faces are bought, and after they can (BA-X01 to BA-X04)."""
    levels = [[face.number for face in one.faces] for one in game.railroads]
    for at, one in enumerate(game.railroads):
        for face in one.faces:
            if face.gone_at is None or face.gone_at <= face.number:
                continue
            first = next((k for k, found in enumerate(levels) if found and max(found) >= face.gone_at), None)
            if first is not None and first < at:
                message = (
                    f"{face.id} goes at level {face.gone_at}, which {game.railroads[first].id} can bring before it"
                )
                yield Found(f"{message}; move its row up, or let it go later", (face.id,), _place(face))
            if first is not None and not any(found and min(found) >= face.gone_at for found in levels):
                message = f"{face.id} goes at level {face.gone_at}, which only one face of its cards has"
                yield Found(f"{message}; give a card that level on all faces", (face.id,), _place(face))


def _bought(game: CardGame) -> Iterator[Found]:
    """Every railroad can be bought by somebody some time: all money there can be by then is enough (BA-O11, BA-O15)."""
    if game.holdings and not any(one.operators for one in game.holdings):
        ids = tuple(one.id for one in game.holdings)
        yield Found(
            "no holding can buy a railroad without an operator; give holdings some", ids, _place(game.holdings[0])
        )
    starts = [one.value for one in game.track if one.start and one.value is not None]
    rules = game.rules
    if not starts or rules.setup.bids == "free":  # where any value may be named, the bank pays any amount
        return
    money = rules.setup.players * rules.setup.cash + 2 * sum(one.value for one in game.investors)
    price = rules.market.sold_to_operate * min(starts) // _PART
    if money < price:
        yield Found(f"players have ${money:,} at most, and no holding operates for less than ${price:,}", ("start",))
        return
    money += len(game.holdings) * rules.market.capital * max(starts)
    yield from _too_dear(game, money)


def _too_dear(game: CardGame, money: int) -> Iterator[Found]:
    """Yield the faces that cost more than there can be when they come to the top, if no card is bought before."""
    income = rounds = 0
    network = sum(one.operators for one in game.holdings) * game.rules.operating.network_income
    for one in game.railroads:
        most = money + rounds * (income + network)
        for face in one.faces:
            if face.cost > most:
                message = f"{face.id} costs ${face.cost:,}, and there are ${most:,} at most when it can be bought"
                yield Found(f"{message}; make it cheaper, or move its row down", (face.id,), _place(face))
        income += one.count * max((face.income for face in one.faces), default=0)
        rounds += one.count * game.rules.rounds.operating


def _incomes(game: CardGame) -> Iterator[Found]:
    """A card of two levels has one income, unless D42 is settled otherwise (BA-C17, BA-C19, BA-C21)."""
    if game.rules.disputes.income == "by-face":
        return
    for one in game.railroads:
        first, *others = one.faces
        for face in others:
            if face.number != first.number and face.income != first.income:
                message = f"{face.id} earns {face.income}, {first.id} on the same card {first.income}; make them equal"
                cure = "set rules.disputes.income to by-face"
                yield Found(f"{message}, or {cure}", (first.id, face.id), _place(face))


CHECKS: Final[tuple[CardCheck, ...]] = (
    Check("K01", "certificates of a holding add to 100 %", Severity.ERROR, _hundred),
    Check("K02", "certificates are of whole tens", Severity.ERROR, _tens),
    Check("K03", "each holding has one Director's certificate", Severity.ERROR, _directors),
    Check("K04", "tokens agree with the holdings", Severity.ERROR, _tokens),
    Check("K05", "decks have the cards that they say", Severity.ERROR, _decks),
    Check("K06", "railroads go at a level that comes", Severity.ERROR, _obsolete),
    Check("K07", "effects are known, and complete", Severity.ERROR, _effects),
    Check("K08", "share values rise", Severity.ERROR, _rises),
    Check("K09", "the track has a start and an end", Severity.ERROR, _ends),
    Check("K10", "spaces of the track have values", Severity.WARNING, _gaps),
    Check("K11", "share values are the game's own", Severity.NOTE, _example),
    Check("K12", "dearer railroads earn more", Severity.WARNING, _dearer),
    Check("K13", "the stack is in order", Severity.ERROR, _stack),
    Check("K14", "railroads have names", Severity.NOTE, _unnamed),
    Check("K15", "effects belong to investors", Severity.NOTE, _open),
    Check("K16", "colours of holdings are told apart", Severity.WARNING, _colours),
    Check("K17", "holdings have names of their own", Severity.WARNING, _doubles),
    Check("K18", "texts fit their cards", Severity.WARNING, _fits),
    Check("K19", "obsolescence closes", Severity.WARNING, _closes),
    Check("K20", "every railroad can be bought", Severity.WARNING, _bought),
    Check("K21", "cards of two levels have one income", Severity.ERROR, _incomes),
)
"""All checks of card games."""
