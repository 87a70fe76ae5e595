"""Commands on the terrain of hexagons and on edges."""

from collections import deque
from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Colour
from mapkit.document.command import Command, CommandError, Makes, Names
from mapkit.document.document import last_rank
from mapkit.kinds.hex.commands.command import COMMANDS, HexDraft, config_of, need_edge, need_hex, need_terrain
from mapkit.kinds.hex.grid.grid import EDGE_ID, HEX_ID, MOST_HEXES
from mapkit.kinds.hex.model.terrain import known_terrains
from mapkit.kinds.hex.tables import EdgeKind, EdgeRow, HexRow, Money, TerrainRow

HexId = Annotated[str, Field(pattern=HEX_ID)]
EdgeId = Annotated[str, Field(pattern=EDGE_ID)]


def paint(draft: HexDraft, hexes: list[str], terrain: str) -> None:
    """Set the terrain of hexagons; a hexagon of the most common terrain needs no row.

    Raises:
        CommandError: A hexagon is not on the grid, or there is no such terrain.
    """
    config = config_of(draft)
    need_terrain(draft, terrain)
    rank = last_rank(draft.table("hexes"))
    for name in hexes:
        hex_id = config.grid.hex_id(need_hex(config.grid, name))
        old_row = draft.rows("hexes", HexRow).get(hex_id)
        if old_row is not None and (terrain != config.terrain or old_row.art):
            draft.update("hexes", hex_id, terrain=terrain)
        elif old_row is not None:
            draft.drop("hexes", hex_id)
        elif terrain != config.terrain:
            draft.put("hexes", hex_id, HexRow(terrain=terrain, rank=rank))
            rank += 1


@COMMANDS.command("terrain")
class PaintHexes(Command):
    """Set the terrain of hexagons."""

    kind: Literal["paint-hexes"] = "paint-hexes"
    hexes: tuple[HexId, ...] = Field(min_length=1, max_length=MOST_HEXES)
    terrain: Annotated[str, Names("terrain")]

    def edit(self, draft: HexDraft) -> str:
        """Set the terrain of each hexagon."""
        paint(draft, list(dict.fromkeys(self.hexes)), self.terrain)
        painted_text = self.hexes[0] if len(self.hexes) == 1 else f"{len(self.hexes)} hexagons"
        return f"Paint {painted_text} {self.terrain}"


@COMMANDS.command("terrain")
class FloodHexes(Command):
    """Change the terrain of a hexagon and of all connected hexagons of its terrain."""

    kind: Literal["flood-hexes"] = "flood-hexes"
    hex: HexId
    terrain: Annotated[str, Names("terrain")]

    def edit(self, draft: HexDraft) -> str:
        """Flood-fill from the hexagon with the new terrain."""
        config = config_of(draft)
        start = need_hex(config.grid, self.hex)
        rows = draft.rows("hexes", HexRow)

        def now(name: str) -> str:
            row = rows.get(name)
            return config.terrain if row is None else row.terrain

        draft.rely("hexes")
        old_terrain, flooded_hexes, hex_queue = now(self.hex), {start}, deque([start])
        while hex_queue:
            for neighbour in config.grid.neighbours(hex_queue.popleft()):
                if neighbour not in flooded_hexes and now(config.grid.hex_id(neighbour)) == old_terrain:
                    flooded_hexes.add(neighbour)
                    hex_queue.append(neighbour)
        if old_terrain == self.terrain:
            raise CommandError(
                f"{self.hex} and the hexagons around it are {old_terrain} already; choose another terrain"
            )
        paint(
            draft,
            [config.grid.hex_id(hexagon) for hexagon in config.grid.cubes if hexagon in flooded_hexes],
            self.terrain,
        )
        return f"Turn {len(flooded_hexes)} hexagons of {old_terrain} into {self.terrain}"


@COMMANDS.command("terrain")
class SetTerrain(Command):
    """Add or change a terrain of the board's own."""

    kind: Literal["set-terrain"] = "set-terrain"
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40), Makes("terrain")]
    name: str = Field(min_length=1, max_length=200)
    cost: Money | None = None
    colour: Colour
    wet: bool = False

    def edit(self, draft: HexDraft) -> str:
        """Set the row of the terrain."""
        if self.id in known_terrains():
            raise CommandError(f"terrain {self.id!r} is one that every board has; choose another id")
        old_row = draft.table("terrains").get(self.id)
        rank = old_row.rank if old_row is not None else last_rank(draft.table("terrains"))
        row = TerrainRow(name=self.name, cost=self.cost, colour=self.colour, wet=self.wet, rank=rank)
        draft.put("terrains", self.id, row)
        return f"Set terrain {self.name}"


@COMMANDS.command("edges")
class SetEdges(Command):
    """Set the features of edges; without kinds they are cleared."""

    kind: Literal["set-edges"] = "set-edges"
    edges: tuple[EdgeId, ...] = Field(min_length=1, max_length=3 * MOST_HEXES)
    kinds: tuple[EdgeKind, ...] = Field(default=(), max_length=4)
    cost: Money | None = Field(default=None, description="Of crossing; none: for a ridge that of the rules")

    def edit(self, draft: HexDraft) -> str:
        """Replace the rows of the edges."""
        grid = config_of(draft).grid
        rank = last_rank(draft.table("edges"))
        for name in self.edges:
            edge_id = grid.edge_id(need_edge(grid, name))
            first_hex, _, second_hex = edge_id.partition("--")
            existing_names = [
                edge_name for edge_name in (edge_id, f"{second_hex}--{first_hex}") if edge_name in draft.table("edges")
            ]
            for edge_name in existing_names:
                draft.drop("edges", edge_name)
            if self.kinds:
                draft.put("edges", edge_id, EdgeRow(kinds=self.kinds, cost=self.cost, rank=rank))
                rank += 1
        edges_text = self.edges[0] if len(self.edges) == 1 else f"{len(self.edges)} edges"
        return f"Set {' and '.join(self.kinds)} on {edges_text}" if self.kinds else f"Clear {edges_text}"
