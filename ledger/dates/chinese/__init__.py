"""Chinese time expressions, as rules. Traditional characters are read as simplified ones."""

from ledger.dates.chinese import calendar, clock, counting, near, parts

RULES = (*parts.RULES, *near.RULES, *counting.RULES, *calendar.RULES, *clock.RULES)
