"""The page of links of a scan that are in doubt."""
