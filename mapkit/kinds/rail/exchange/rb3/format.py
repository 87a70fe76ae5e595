"""RB3, the map files of Rail Baron Player, as a format of boards."""

import tempfile
from pathlib import Path

from mapkit.core.names import slug
from mapkit.core.output import write_files
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.rb3.exporting import board_to_rb3
from mapkit.kinds.rail.exchange.rb3.importing import SUFFIXES, place_map, rb3_to_source_files
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3
from mapkit.kinds.rail.model.board import Board


class RB3Format:
    """RB3: the network, cities, prices, chances and payoffs, in map units."""

    name = "rb3"
    title = "Rail Baron Player map (RB3)"
    suffixes = SUFFIXES
    carries = "regions, cities, railroads with prices and colours, every step, junctions, chances, payoffs, coast"
    loses = "names of dots, exact places, bends, cells of destination charts, twins, region colours, rules"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return the map file.

        Raises:
            ExportError: RB3 cannot hold the board.
        """
        rb3, losses = board_to_rb3(board)
        return ExportedBoard({f"{options.file_stem(board)}.rb3": write_rb3(rb3, options.rb3_encoding)}, losses)

    def read(self, path: Path) -> Board:
        """Return the board of a map, placed by the names of its cities.

        Raises:
            SourceError: The file is wrong, or its cities are not found.
            WorkspaceError: It is missing or may not be read.
        """
        rb3 = read_rb3(path)
        files, _ = rb3_to_source_files(rb3, place_map(rb3, file=path.name))
        with tempfile.TemporaryDirectory(prefix="mapkit-rb3-") as folder:
            package_folder = Path(folder) / (slug(path.stem) or "map")
            write_files(package_folder, files)
            return built_folder(package_folder)


FORMAT = RB3Format()
