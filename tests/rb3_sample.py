"""An invented RB3 file, the one that the format's description ends with, and helpers for RB3 tests."""

from itertools import pairwise

from mapkit.kinds.rail.exchange.rb3.model import JUNCTION, RB3File

Edge = tuple[tuple[int, int], tuple[int, int]]

LAKELAND = """'[header]
game=Rail Baron
name=Lakeland
version=1.0
scalel= 0 
scalet= 0 
scalew= 60 
scaleh= 40 
minver=3.8
regions= 2 
rrs= 2 
cities= 4 

'[regn]
2
North,NO,50
South,SO,50

'[city]
4
'North=2
Alpha,NO,50,1,1
Beta,NO,50,2,3
'South=2
Gamma,SO,50,3,1,'-99,0
Delta,SO,50,4,4

'[rr]
2
Lake Shore,,LS,4,0,8000,0,0,192,4
"Hill, Dale and Western",Hill & Dale,HD&W,2,1,12000,0,128,0,2

'[re1]
9/#4/mapkit/D
s,10,10,14
s,20,12,143
s,30,10,14
s,25,18,15

'[re2]
9/#4/mapkit/D
s,12,30,14
's,18,28,15
s,20,26,143
s,32,31,14

'[rout]
' LS
1,1, 1,2,3, 0,0
1,3,1004, 2,1003,-1,-1
' HD&W
2,1,2003,4, 0,0
1,2004, 2,2003,-1,-1

'[pay]
2,4,5
3.5,3
2
"""  # noqa: W291 - as a BASIC program writes numbers


def edges(rb3: RB3File) -> dict[str, set[Edge]]:
    """Return the pairs of dots that each railroad joins, by its short name."""
    out: dict[str, set[Edge]] = {}
    for railroad, route in zip(rb3.railroads, rb3.routes, strict=True):
        own = out.setdefault(railroad.short, set())
        for line in route.lines:
            own |= {(min(a[:2], b[:2]), max(a[:2], b[:2])) for a, b in pairwise(line)}
    return out


def steps(rb3: RB3File) -> set[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Return railroad and ends of every move, dots of colour 13 passed at no cost; by brute force."""
    out = set()
    for short, pairs in edges(rb3).items():
        beside: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for a, b in pairs:
            beside.setdefault(a, set()).add(b)
            beside.setdefault(b, set()).add(a)
        for start, ahead in beside.items():
            if rb3.dot(*start).colour == JUNCTION:
                continue
            todo, passed = sorted(ahead), {start}
            while todo:
                at = todo.pop()
                if rb3.dot(*at).colour != JUNCTION:
                    if at != start:
                        out.add((short, min(start, at), max(start, at)))
                elif at not in passed:
                    passed.add(at)
                    todo += beside[at]
    return out
