"""The page on which cells of a picture that are in doubt are settled by clicking."""
