"""Options of a draft."""

from typing import Final, Literal

from pydantic import field_validator

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError
from mapkit.kinds.rail.model.source import SHEETS_MM, Sheet

FEWEST_CITIES: Final = 3
MOST_CITIES: Final = 120
MOST_RAILROADS: Final = 40
CITIES: Final = 36
"""Where nothing is asked: as many as the Portuguese board has."""


class DraftAsked(Frozen):
    """Region and options of a draft.

    Attributes:
        region: Countries by name or code, or parts of them, separated by commas.
        bbox: `WEST,SOUTH,EAST,NORTH` in degrees: only what lies in it; it may reach across longitude 180.
        polygon: A file of polygons, by its path, or the corners of one, `lon,lat lon,lat lon,lat`: only what lies in
            them.
        lines: A file of rail lines, by its path: the railroads run on them; their surroundings are the region if
            nothing else is named.
        cities: How many; twins are two.
        railroads: How many; a fitting number if None.
        regions: How many; a fitting number if None.
        include: Names of places that are to be cities.
        leave_out: Names of places that are not to be.
        seed: For another draft.
        sheet: A standard sheet for the page, as `[page]` names it; a page that suits the mileposts if empty.
    """

    region: str = ""
    bbox: str = ""
    polygon: str = ""
    lines: str = ""
    cities: int = CITIES
    railroads: int | None = None
    regions: int | None = None
    include: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    seed: int = 1
    sheet: Literal["", Sheet] = ""

    @field_validator("sheet", mode="before")
    @classmethod
    def _check_sheet(cls, sheet: object) -> object:
        if sheet not in ("", *SHEETS_MM):
            raise ChoiceError(f"--sheet {sheet!r}: choose {', '.join(SHEETS_MM)}")
        return sheet

    @property
    def companies(self) -> int:
        """Return the number of railroads: 28 for 67 cities, 14 for 48 and 11 for 36 on the shipped boards."""
        if self.railroads is not None:
            return self.railroads
        return max(2, min(round(self.cities * 0.33), MOST_RAILROADS, self.cities - 1))

    def words(self) -> tuple[str, ...]:
        """Return the arguments of `mapkit draft` for the same options."""
        return tuple(
            f"--{name.replace('_', '-')} {_quote_spaces(str(item))}"
            for name, value in self.options()
            for item in (value if isinstance(value, tuple) else (value,))
        )

    def options(self) -> tuple[tuple[str, str | int | tuple[str, ...]], ...]:
        """Return the options of `mapkit draft` by name, those without a value left out."""
        option_values = self.model_dump() | {"railroads": self.companies}
        return tuple((name, value) for name, value in option_values.items() if value not in ("", None, ()))

    def refuse_numbers(self) -> None:
        """Raise if no board can have the numbers of cities, railroads or regions.

        Raises:
            ChoiceError: Which number, and what to ask for.
        """
        if not FEWEST_CITIES <= self.cities <= MOST_CITIES:
            raise ChoiceError(f"--cities {self.cities}: a draft has {FEWEST_CITIES} to {MOST_CITIES} cities")
        if self.railroads is not None and self.railroads > self.cities:
            raise ChoiceError(
                f"--railroads {self.railroads}: more railroads than cities ({self.cities}); ask for "
                f"{max(1, self.cities // 2)} railroads or fewer, or for more cities"
            )
        if self.railroads is not None and not 1 <= self.railroads <= MOST_RAILROADS:
            raise ChoiceError(f"--railroads {self.railroads}: a draft has 1 to {MOST_RAILROADS} railroads")
        if self.regions is not None and not 1 <= self.regions <= max(self.cities // 2, 1):
            raise ChoiceError(
                f"--regions {self.regions}: {self.cities} cities make 1 to {max(self.cities // 2, 1)} regions"
            )
        if not 0 <= self.seed < 1 << 64:
            raise ChoiceError(f"--seed {self.seed}: choose a number from 0 to 2**64 - 1")


def _quote_spaces(value: str) -> str:
    return f'"{value}"' if " " in value else value
