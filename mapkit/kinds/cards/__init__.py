"""Card games of railroad shares, of the family of Railroad Barons."""
