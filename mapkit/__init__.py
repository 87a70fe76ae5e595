"""mapkit: maps, charts and variants for railroad board games of the Rail Baron family.

```python
import mapkit

board = mapkit.load("usa")
print(mapkit.check(board).ok)
```

Names are imported when they are first used, so that `mapkit --help` starts at once. `__init__.pyi` lists them, for type
checkers and for this module alike.
"""

from mapkit.core.lazy import late_names

__getattr__, __dir__, __all__ = late_names(__name__, __file__)
