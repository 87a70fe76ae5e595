"""House rules in the author's own words, for matters without a setting."""

from typing import Annotated

from pydantic import Field

from mapkit.core.base import Frozen

HouseTitle = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""The title of a house rule, on one line."""

HouseText = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]+$")]
"""The text of a house rule; it may have several lines."""


class HouseRule(Frozen):
    """A rule of the house: a title and a text; the text may have several lines."""

    title: HouseTitle
    text: HouseText


class House(Frozen):
    """House rules in the author's own words."""

    words: tuple[HouseRule, ...] = Field(
        default=(), max_length=50, description="House rules in the author's words, which the rule sheet shows"
    )
