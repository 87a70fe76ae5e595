"""Routes of variants: writing one into the workspace."""

import asyncio
from typing import Annotated, Any

from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mapkit.editor.questions.question import Asked, QuestionError
from mapkit.editor.questions.variants import drafted
from mapkit.editor.questions.versions import Version, workspace_of
from mapkit.editor.server.hub import Hub
from mapkit.model.base import Frozen
from mapkit.output import write_files
from mapkit.variants.shelf import FOLDER, Shelf
from mapkit.variants.write import variant_text


class NewVariant(Frozen):
    """A variant that leads from one version to another."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    title: str = Field(default="", max_length=200)
    before: Version = Version(at="saved")
    after: Version = Version()
    replace: bool = False


def variant_routes(hub: Hub) -> list[Route]:
    """Return the routes that write variants."""

    async def add(request: Request) -> Response:
        try:
            wanted = NewVariant.model_validate_json(await request.body() or b"{}")
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            told = "a name has small letters, digits and hyphens" if where == "name" else first["msg"]
            raise QuestionError(f"{where}: {told}") from error
        return JSONResponse(await asyncio.to_thread(_write, wanted, hub.asked()), status_code=201)

    return [Route("/api/variants", add, methods=["POST"])]


def _write(wanted: NewVariant, asked: Asked) -> dict[str, Any]:
    """Write a variant into the workspace, and return where it is and what it could not say.

    Raises:
        QuestionError: Nothing differs, or there is one of that name.
        OutputError: It cannot be written.
    """
    space = workspace_of(asked.folder)
    file = f"{wanted.name}.toml"
    own = space.root / FOLDER
    if not wanted.replace and wanted.name in Shelf(space).paths():
        where = "in this workspace" if (own / file).is_file() else "among the shipped ones"
        raise QuestionError(f"there is a variant {wanted.name!r} {where}; choose another name")
    made = drafted(asked, wanted.before, wanted.after, name=wanted.name, title=wanted.title)
    if not made.variant.operations:
        raise QuestionError("nothing differs that a variant can say; choose other versions")
    write_files(own, {file: variant_text(made.variant)})
    return {
        "name": wanted.name,
        "file": f"{FOLDER}/{file}",
        "operations": len(made.variant.operations),
        "left": list(made.left),
    }
