"""The board for the screen while it is edited: what `render` draws for print, as shapes, part by part."""
