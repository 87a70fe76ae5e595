"""Words of destination charts in English, Spanish, Portuguese, French and German."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PARITIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("odd", "impar", "impares", "impair", "ungerade"), "odd"),
        **dict.fromkeys(("even", "par", "pares", "pair", "gerade"), "even"),
    }
)
"""Word folded by `core.names.fold` -> `odd` or `even`."""
SUM_WORDS: Final = ("sum", "total", "row", "dice", "roll", "suma", "soma", "somme", "summe")
"""Headings above sums."""
REGION_WORDS: Final = frozenset(
    ("region", "regions", "regiones", "regiao", "regioes", "regionen", "regionchart", "regionschart")
)
"""Names of the chart that chooses the region."""
HEAD_WORDS: Final = frozenset(
    (
        *PARITIES,
        *SUM_WORDS,
        "die",
        "first",
        "1st",
        "red",
        "white",
        "chart",
        "table",
        "tabla",
        "tabela",
        "tableau",
        "tabelle",
    )
)
"""Words of headings that are not names of charts."""
