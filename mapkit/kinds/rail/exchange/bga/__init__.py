"""Board Game Arena."""
