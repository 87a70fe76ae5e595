"""Source packages of railroad boards as documents: opening and saving."""
