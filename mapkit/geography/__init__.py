"""The earth: the gazetteer, the shipped base map, projections, and both on a page. It may import core and formats."""
