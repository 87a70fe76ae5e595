"""A board of any format as a source package."""
