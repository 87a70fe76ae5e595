"""Text of PDFs with its geometry: words with their positions, and tables made of them."""
