"""English time expressions, as rules."""

from ledger.dates.english import clock, counting, months, near, parts, years

RULES = (*near.RULES, *counting.RULES, *months.RULES, *parts.RULES, *years.RULES, *clock.RULES)
