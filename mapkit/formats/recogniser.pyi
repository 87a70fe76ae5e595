# Each name with the module that it is imported from when it is first used; see recogniser.py.
from mapkit.formats.recognising.compared import compare_with_picture as compare_with_picture
from mapkit.formats.recognising.engine import can_recognise as can_recognise
from mapkit.formats.recognising.engine import require_recogniser as require_recogniser
from mapkit.formats.recognising.page import read_picture_page as read_picture_page
