"""Commands on cities."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mapkit.core.base import Slug
from mapkit.document.command import Command, CommandError, Makes, Names
from mapkit.document.document import last_rank
from mapkit.kinds.hex.commands.command import COMMANDS, HexDraft, config_of, need_hex, new_id
from mapkit.kinds.hex.commands.terrain import HexId
from mapkit.kinds.hex.rules.colours import CityColour, Goods
from mapkit.kinds.hex.tables import BaronRow, CityRow, LinkRow, MajorLineRow, OperationsRow, PlayersCount

Named = Annotated[str, Field(min_length=1, max_length=200)]
CityId = Annotated[str, Names("city")]


def need_city(draft: HexDraft, ident: str) -> CityRow:
    """Return an existing city.

    Raises:
        CommandError: It is not.
    """
    draft.need("cities", ident, "city")
    return draft.rows("cities", CityRow)[ident]


def free_hex(draft: HexDraft, name: str, but: str = "") -> str:
    """Return a hexagon without a city.

    Raises:
        CommandError: It is not on the grid, or has a city.
    """
    grid = config_of(draft).grid
    hex_id = grid.hex_id(need_hex(grid, name))
    draft.rely("cities")
    for ident, row in draft.rows("cities", CityRow).items():
        if row.hex == hex_id and ident != but:
            raise CommandError(f"{row.name} is in hexagon {hex_id} already; choose another hexagon")
    return hex_id


@COMMANDS.command("cities")
class AddCity(Command):
    """Put a city into a hexagon."""

    kind: Literal["add-city"] = "add-city"
    id: Annotated[Slug | None, Makes("city")] = None
    name: Named
    hex: HexId
    colours: tuple[CityColour, ...] = Field(default=(), max_length=6)
    cubes: int = Field(default=2, ge=0, le=100)
    port: bool = False

    def edit(self, draft: HexDraft) -> str:
        """Add a row for the city in a free hexagon."""
        if self.id is not None and self.id in draft.table("cities"):
            raise CommandError(f"there is a city {self.id!r} already; choose another id")
        ident = self.id or new_id(draft, "cities", self.name)
        row = CityRow(
            name=self.name,
            hex=free_hex(draft, self.hex),
            colours=self.colours,
            cubes=self.cubes,
            port=self.port,
            rank=last_rank(draft.table("cities")),
        )
        draft.put("cities", ident, row)
        return f"Add {self.name}"


@COMMANDS.command("cities")
class MoveCity(Command):
    """Move a city into another hexagon."""

    kind: Literal["move-city"] = "move-city"
    id: CityId
    hex: HexId

    def edit(self, draft: HexDraft) -> str:
        """Set the hexagon of the city, which must be free."""
        row = need_city(draft, self.id)
        draft.update("cities", self.id, hex=free_hex(draft, self.hex, but=self.id))
        return f"Move {row.name}"


@COMMANDS.command("cities")
class RenameCity(Command):
    """Give a city another name; its id stays."""

    kind: Literal["rename-city"] = "rename-city"
    id: CityId
    name: Named

    def edit(self, draft: HexDraft) -> str:
        """Set the name of the city."""
        row = need_city(draft, self.id)
        draft.update("cities", self.id, name=self.name)
        return f"Rename {row.name} to {self.name}"


@COMMANDS.command("cities")
class RecolourCity(Command):
    """Give a city other colours; none makes it gray."""

    kind: Literal["recolour-city"] = "recolour-city"
    id: CityId
    colours: tuple[CityColour, ...] = Field(default=(), max_length=6)

    def edit(self, draft: HexDraft) -> str:
        """Set the colours of the city."""
        row = need_city(draft, self.id)
        draft.update("cities", self.id, colours=self.colours)
        return f"Make {row.name} {' and '.join(self.colours) or 'gray'}"


@COMMANDS.command("cities")
class SetCity(Command):
    """Set further properties of a city: cubes, rotor, twins, port; properties that are not given stay."""

    kind: Literal["set-city"] = "set-city"
    id: CityId
    cubes: int | None = Field(default=None, ge=0, le=100)
    cubes_by_players: tuple[PlayersCount, ...] | None = None
    rotor: bool | None = None
    start: Goods | None = None
    wheel: tuple[Goods, ...] | None = None
    twins: Annotated[str, Field(max_length=40)] | None = None
    port: bool | None = None

    def edit(self, draft: HexDraft) -> str:
        """Set the given fields of the city."""
        row = need_city(draft, self.id)
        given_fields: dict[str, Any] = {
            name: getattr(self, name) for name in CityRow.model_fields if hasattr(self, name)
        }
        set_fields = {name: value for name, value in given_fields.items() if value is not None}
        if not set_fields:
            raise CommandError("nothing to set; give cubes, rotor, start, wheel, twins or port")
        draft.update("cities", self.id, **set_fields)
        return f"Set {', '.join(set_fields)} of {row.name}"


@COMMANDS.command("cities")
class RemoveCity(Command):
    """Remove a city with its links, and take it out of major lines and cards."""

    kind: Literal["remove-city"] = "remove-city"
    id: CityId

    def edit(self, draft: HexDraft) -> str:
        """Remove the city and all references to it."""
        row = need_city(draft, self.id)
        forget_city(draft, self.id)
        return f"Remove {row.name}"


def forget_city(draft: HexDraft, ident: str) -> None:
    """Remove a city and all references to it, with major lines left with one city."""
    draft.drop("cities", ident)
    for key, link in list(draft.rows("links", LinkRow).items()):
        if ident in (link.a, link.b):
            draft.drop("links", key)
    for key, line in list(draft.rows("lines", MajorLineRow).items()):
        cities_left = tuple(city_id for city_id in line.cities if city_id != ident)
        if len(cities_left) < 2:  # noqa: PLR2004 - its two ends
            draft.drop("lines", key)
        elif cities_left != line.cities:
            draft.update("lines", key, cities=cities_left)
    for key, operations in list(draft.rows("operations", OperationsRow).items()):
        if ident in operations.cities:
            draft.update("operations", key, cities=tuple(city_id for city_id in operations.cities if city_id != ident))
    for key, baron in list(draft.rows("barons", BaronRow).items()):
        if ident in baron.cities:
            draft.update("barons", key, cities=tuple(city_id for city_id in baron.cities if city_id != ident))
