"""Lines and points of foreign files: GeoJSON, KML, SVG, and all formats of GDAL."""
