"""Lines of OpenStreetMap and of timetables: Overpass JSON, tags, GTFS. Can be deleted."""
