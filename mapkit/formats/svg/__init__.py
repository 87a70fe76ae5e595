"""Interpretation of SVG: paths, shapes, units, transforms, names."""
