"""Page to settle doubtful cells of a picture by clicking."""
