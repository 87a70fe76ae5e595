"""Commands on the elements of a board, whatever they were made from: mileposts, track, who owns it, charts, rules.

Variants are made of these. Mileposts, railroads, regions and cities are named by their ids, segments and pieces by
theirs; positions are degrees (EPSG:4326), prices whole currency units. Lengths and page positions follow.
"""
