"""What SVG means: paths, shapes, units, transforms, names."""
