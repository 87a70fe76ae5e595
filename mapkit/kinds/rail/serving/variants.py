"""Routes of variants: writing one into the workspace."""

import asyncio
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.core.base import Frozen, Slug
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import find_existing, invalid_id_reason
from mapkit.kinds.queries import OpenBoard, QueryError
from mapkit.kinds.rail.queries.question import Asked
from mapkit.kinds.rail.queries.variants import drafted
from mapkit.kinds.rail.queries.versions import Version, workspace_of
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import read_body
from mapkit.variants.shelf import FOLDER
from mapkit.variants.writing import variant_text


class NewVariant(Frozen):
    """A variant that leads from one version to another."""

    name: Annotated[Slug, Field(max_length=60)]
    title: str = Field(default="", max_length=200)
    before: Version = Version(at="saved")
    after: Version = Version()
    replace: bool = False


class WrittenVariant(Frozen):
    """Path of a written variant, its number of operations, and the differences that it cannot express."""

    name: str
    file: str
    operations: int
    left: tuple[str, ...]


def variant_routes(hub: OpenBoard) -> list[Route]:
    """Return the routes that write variants."""

    async def add(request: Request) -> Response:
        wanted = await read_body(request, NewVariant)
        return model_response(await asyncio.to_thread(_write, wanted, hub.asked()), 201)

    return [Route("/api/variants", add, methods=["POST"])]


def _write(wanted: NewVariant, asked: Asked) -> WrittenVariant:
    """Write a variant into the workspace, and return its path and the differences that it cannot express.

    Raises:
        QueryError: Nothing differs, or there is one of that name.
        OutputError: It cannot be written.
    """
    space = workspace_of(asked.folder)
    file = f"{wanted.name}.toml"
    own = space.root / FOLDER
    if why := invalid_id_reason(wanted.name, "a variant"):
        raise QueryError(why)
    if not wanted.replace and wanted.name in rail_shelf(space).paths():
        where = "in this workspace" if find_existing(own / file) else "among the shipped ones"
        raise QueryError(f"there is a variant {wanted.name!r} {where}; choose another name")
    made = drafted(asked, wanted.before, wanted.after, name=wanted.name, title=wanted.title)
    if not made.variant.operations:
        raise QueryError("the two versions differ in nothing that a variant can change; choose other versions")
    write_files(own, {file: variant_text(made.variant)})
    return WrittenVariant(
        name=wanted.name,
        file=f"{FOLDER}/{file}",
        operations=len(made.variant.operations),
        left=tuple(made.left),
    )
