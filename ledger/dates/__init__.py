"""Time expressions in Chinese and English, resolved against the moment at which they were said.

Pure: the standard library only. `find_dates` is the one way in; the conventions stand in
`conventions.json` and in the docstrings of the rules.
"""

from ledger.dates.dated import Dated, Direction, Grain
from ledger.dates.finding import find_dates

__all__ = ["Dated", "Direction", "Grain", "find_dates"]
