# Each name with the module that it is imported from when it is first used; see parts.py.
from mapkit.kinds.rail.api.boards import check as check
from mapkit.kinds.rail.api.boards import plan_build as plan_build
from mapkit.kinds.rail.api.loading import load_as_it_is as load_as_it_is
from mapkit.kinds.rail.checks import WITH_JUDGED as WITH_JUDGED
from mapkit.kinds.rail.editing.line_files import MAX_BYTES as MAX_BYTES
from mapkit.kinds.rail.live.checks import full_findings as full_findings
from mapkit.kinds.rail.live.checks import live_findings as live_findings
from mapkit.kinds.rail.live.view import view_delta as view_delta
from mapkit.kinds.rail.live.view import whole_view as whole_view
from mapkit.kinds.rail.questions import Asked as Asked
from mapkit.kinds.rail.questions import answer as answer
from mapkit.kinds.rail.render.board import render_board as render_board
from mapkit.kinds.rail.serving.exporting import export_routes as export_routes
from mapkit.kinds.rail.serving.line_files import LINE_UPLOADS as LINE_UPLOADS
from mapkit.kinds.rail.serving.line_files import line_file_routes as line_file_routes
from mapkit.kinds.rail.serving.variants import variant_routes as variant_routes
from mapkit.kinds.rail.variants.variant import Variant as Variant
