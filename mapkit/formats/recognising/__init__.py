"""Recognition of text in pictures: words and their characters."""
