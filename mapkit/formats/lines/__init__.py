"""Lines and points in foreign files: GeoJSON, KML, SVG, what GDAL reads."""
