"""Map of pages: the drawn board, a script that pans, zooms and marks it, its data, and the style of pages."""
