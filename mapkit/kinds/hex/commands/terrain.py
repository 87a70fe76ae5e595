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
    """Give hexagons a terrain; what is as most hexagons are needs no row.

    Raises:
        CommandError: A hexagon is not on the grid, or there is no such terrain.
    """
    config = config_of(draft)
    need_terrain(draft, terrain)
    rank = last_rank(draft.table("hexes"))
    for name in hexes:
        key = config.grid.hex_id(need_hex(config.grid, name))
        old = draft.rows("hexes", HexRow).get(key)
        if old is not None and (terrain != config.terrain or old.art):
            draft.update("hexes", key, terrain=terrain)
        elif old is not None:
            draft.drop("hexes", key)
        elif terrain != config.terrain:
            draft.put("hexes", key, HexRow(terrain=terrain, rank=rank))
            rank += 1


@COMMANDS.command("terrain")
class PaintHexes(Command):
    """Give hexagons a terrain."""

    kind: Literal["paint-hexes"] = "paint-hexes"
    hexes: tuple[HexId, ...] = Field(min_length=1, max_length=MOST_HEXES)
    terrain: Annotated[str, Names("terrain")]

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        paint(draft, list(dict.fromkeys(self.hexes)), self.terrain)
        what = self.hexes[0] if len(self.hexes) == 1 else f"{len(self.hexes)} hexagons"
        return f"Paint {what} {self.terrain}"


@COMMANDS.command("terrain")
class FloodHexes(Command):
    """Give a hexagon, and all of its terrain that lie together with it, another terrain."""

    kind: Literal["flood-hexes"] = "flood-hexes"
    hex: HexId
    terrain: Annotated[str, Names("terrain")]

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        config = config_of(draft)
        start = need_hex(config.grid, self.hex)
        rows = draft.rows("hexes", HexRow)

        def now(name: str) -> str:
            row = rows.get(name)
            return config.terrain if row is None else row.terrain

        draft.rely("hexes")
        old, seen, waiting = now(self.hex), {start}, deque([start])
        while waiting:
            for near in config.grid.neighbours(waiting.popleft()):
                if near not in seen and now(config.grid.hex_id(near)) == old:
                    seen.add(near)
                    waiting.append(near)
        if old == self.terrain:
            raise CommandError(f"{self.hex} and what lies together with it is {old} already; nothing to paint")
        paint(draft, [config.grid.hex_id(one) for one in config.grid.cubes if one in seen], self.terrain)
        return f"Turn {len(seen)} hexagons of {old} into {self.terrain}"


@COMMANDS.command("terrain")
class SetTerrain(Command):
    """Add a terrain of the board's own, or change it."""

    kind: Literal["set-terrain"] = "set-terrain"
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40), Makes("terrain")]
    name: str = Field(min_length=1, max_length=200)
    cost: Money | None = None
    colour: Colour
    wet: bool = False

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        if self.id in known_terrains():
            raise CommandError(f"terrain {self.id!r} is one that every board has; choose another id")
        old = draft.table("terrains").get(self.id)
        rank = old.rank if old is not None else last_rank(draft.table("terrains"))
        row = TerrainRow(name=self.name, cost=self.cost, colour=self.colour, wet=self.wet, rank=rank)
        draft.put("terrains", self.id, row)
        return f"Set terrain {self.name}"


@COMMANDS.command("edges")
class SetEdges(Command):
    """Say what lies on edges; without kinds they are cleared."""

    kind: Literal["set-edges"] = "set-edges"
    edges: tuple[EdgeId, ...] = Field(min_length=1, max_length=3 * MOST_HEXES)
    kinds: tuple[EdgeKind, ...] = Field(default=(), max_length=4)
    cost: Money | None = Field(default=None, description="Of crossing; none: for a ridge that of the rules")

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        grid = config_of(draft).grid
        rank = last_rank(draft.table("edges"))
        for name in self.edges:
            key = grid.edge_id(need_edge(grid, name))
            there = [one for one in _ways(key) if one in draft.table("edges")]
            for one in there:
                draft.drop("edges", one)
            if self.kinds:
                draft.put("edges", key, EdgeRow(kinds=self.kinds, cost=self.cost, rank=rank))
                rank += 1
        what = self.edges[0] if len(self.edges) == 1 else f"{len(self.edges)} edges"
        return f"Set {' and '.join(self.kinds)} on {what}" if self.kinds else f"Clear {what}"


def _ways(key: str) -> tuple[str, str]:
    """Return both ways in which a file may name an edge."""
    one, _, other = key.partition("--")
    return key, f"{other}--{one}"
