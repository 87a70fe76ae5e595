"""What drawings are made with: SVG, text that fits, colours, themes, words. It may import geography too."""
