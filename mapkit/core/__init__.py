"""What every other room needs: errors, ids and names, text with the same bytes, writing all or none, checks."""
