"""Text in pictures: its words, and what each says."""
