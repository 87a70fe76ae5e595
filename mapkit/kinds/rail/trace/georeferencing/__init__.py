"""Pictures placed on the earth by control points."""
