"""What lies on a virtual table: decks, the track and tokens."""

from dataclasses import dataclass

from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.cards import card_groups
from mapkit.kinds.cards.render.job import CardJob


@dataclass(frozen=True)
class CardDeck:
    """Cards that lie on each other.

    Args:
        id: `railroad`; of certificates one for each holding, `certificate-marley`.
        title: What players see.
        cards: From the top.
    """

    id: str
    title: str
    cards: tuple[Sheet, ...]


def decks(job: CardJob) -> list[CardDeck]:
    """Return the decks: certificates by holding, the others by sort."""
    out = []
    shares = {f"certificate-{one.id}": holding for holding in job.game.holdings for one in holding.certificates}
    for kind, sheets in card_groups(job):
        if kind != "certificate":
            out.append(CardDeck(kind, job.words(f"deck.{kind}"), tuple(sheets)))
            continue
        for holding in job.game.holdings:
            some = tuple(one for one in sheets if shares[one.id].id == holding.id)
            if some:
                out.append(CardDeck(f"certificate-{holding.id}", holding.name, some))
    return out
