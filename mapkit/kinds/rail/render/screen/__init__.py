"""Board for the screen while it is edited: the printed drawing as shapes, part by part."""
