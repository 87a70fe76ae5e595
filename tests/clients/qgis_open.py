"""Open files in QGIS and print, as JSON, what it makes of them; runs under the Python that has QGIS.

`qgis_open.py PROJECT PICTURE FILE...` opens a project (an address as QGIS has it), draws its map, and opens each file
as a user who drags it into the window does.
"""

import json
import os
import sys
from typing import Any

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QSize


def open_project(address: str, picture: str) -> dict[str, Any]:
    """Return what QGIS finds in a project, and write its map as a picture."""
    canvas = QgsMapCanvas()
    canvas.setObjectName("theMapCanvas")  # which reads its view when the project is read
    project = QgsProject.instance()
    opened = project.read(address)
    layers = project.layerTreeRoot().layerOrder()
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setDestinationCrs(project.crs())
    settings.setOutputSize(QSize(800, 800))
    settings.setExtent(canvas.extent())
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    job.renderedImage().save(picture)
    relations = project.relationManager().relations().values()
    return {
        "opened": opened,
        "projection": project.crs().toProj(),
        "layers": {layer.name(): layer.featureCount() for layer in layers if layer.isValid() and layer.crs().isValid()},
        "relations": sum(relation.isValid() for relation in relations),
        "errors": [error.message for error in job.errors()],
    }


def count_features(file: str) -> dict[str, int]:
    """Return the features of each layer of a file, by the name and geometry that QGIS shows."""
    layer = QgsVectorLayer(file, "file", "ogr")
    counts = {}
    for described in layer.dataProvider().subLayers():
        _, name, count, geometry = described.split("!!::!!")[:4]
        counts[f"{name} ({geometry})"] = int(count)
    return counts


application = QgsApplication([], True)  # noqa: FBT003 - with windows, as the canvas needs
application.initQgis()
seen = {
    "version": Qgis.version(),
    "project": open_project(*sys.argv[1:3]),
    "files": [count_features(file) for file in sys.argv[3:]],
}
print(json.dumps(seen), flush=True)
os._exit(0)  # QGIS 3.22 crashes when Python takes it down
