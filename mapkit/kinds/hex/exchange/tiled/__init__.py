"""Maps of Tiled, in XML (TMX) and JSON."""
