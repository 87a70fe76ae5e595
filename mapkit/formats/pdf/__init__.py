"""Text of PDFs with its geometry: words and where they stand, and the tables that they make."""
