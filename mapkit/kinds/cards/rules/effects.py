"""Vocabulary of effects of investors and other cards, with the values that each needs."""

from types import MappingProxyType
from typing import Final

from mapkit.core.base import Frozen


class EffectKind(Frozen):
    """Word of the vocabulary of effects.

    Args:
        about: What it does.
        needs: Columns of `effects.csv` that must be filled.
    """

    about: str
    needs: tuple[str, ...] = ()


EFFECTS: Final = MappingProxyType(
    {
        "switch-priority": EffectKind(about="switches the Priority Deal at the start of a stock round, once (BA-C28)"),
        "income-each": EffectKind(
            about="adds to the income of each railroad of its holding (BA-C29)", needs=("amount",)
        ),
        "income-once": EffectKind(about="adds to the income of its holding (BA-C29)", needs=("amount",)),
        "discount": EffectKind(about="takes per cent off new railroads (BA-C29)", needs=("amount",)),
        "director": EffectKind(
            about="brings the Director's certificate of a holding at a share value (BA-C30)",
            needs=("amount", "holding"),
        ),
        "free-railroad": EffectKind(
            about="brings a railroad of a level for a holding (BA-C30)", needs=("level", "holding")
        ),
    }
)
"""Every effect by its word."""
