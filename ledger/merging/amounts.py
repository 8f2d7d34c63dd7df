"""Numbers as they are written, as one value: digits, English words, Chinese numerals, units."""

import re

from ledger.merging import grammar

# (value, unit); the unit is empty where none is said.
Amount = tuple[str, str]
DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
# Marks of amounts without a unit, of those with one, and of hours on a clock of twelve.
BARE, WITH_UNIT, DIAL = "bare", "with unit", " on the dial"
# Longer ones are labels, not amounts; they are compared as they stand.
LONGEST_AMOUNT = 15
PERCENT = "百分之"
# Up to this hour the night is of the next day.
DAWN = 5
NOON, HOURS = 12, 24
# From here on a number of years is a year of the calendar.
CALENDAR = 1000
# The unit of a time of day.
CLOCK = "clock"


def of_digits(found: str) -> tuple[str, str]:
    """(value, unit) of a number in digits; the time of day on a clock of 24 hours.

    >>> of_digits("$2,000"), of_digits("1.5k"), of_digits("80 kg"), of_digits("6:30 pm")
    (('2000', 'usd'), ('1500', ''), ('80', 'kg'), ('18:30', 'clock'))
    """
    match = re.search(r"\d[\d,]*(?:\.\d+|:\d\d)?", found)
    if match is None:
        return found, ""
    currency = grammar.data("quantities")["currency"].get(found.lstrip("-")[0], "")
    rest = found[match.end() :].strip()
    clock = rest.replace(".", "")
    if rest.startswith("点") or ":" in match[0] or clock in {"am", "pm"}:
        return _clock(match[0], found, half="半" in rest, said=clock), CLOCK
    times, rest = _multiplied(rest.lstrip("号日"))
    sign = "-" if found.startswith("-") else ""
    return sign + _value(match[0], times), grammar.units().get(rest, "") or currency


def offers(amount: Amount) -> frozenset[Amount]:
    """What an amount may be found under by others; it is theirs if they accept one of them.

    A unit that is left out may be any unit, and half of the day where one is a time of day.

    >>> bool(offers(("2", "week")) & accepts(("14", "day")))
    True
    >>> bool(offers(("8", "")) & accepts(("20", "clock")))
    True
    >>> bool(offers(("8", "kg")) & accepts(("8", "lb")))
    False
    """
    return _marks(amount, own=BARE, other=WITH_UNIT) | {(amount[0], WITH_UNIT)}


def accepts(amount: Amount) -> frozenset[Amount]:
    """Under what an amount is looked for among those that others offer."""
    return _marks(amount, own=WITH_UNIT, other=BARE) | {(amount[0], BARE)}


def _marks(amount: Amount, *, own: str, other: str) -> frozenset[Amount]:
    """What stands for it by its sort: bare, as a time of day, in the smallest unit."""
    value, unit = amount
    dial = _on_the_dial(value) + DIAL
    if not unit:
        return frozenset({(value, own), (dial, own)})
    return frozenset({_in_base(amount)} | ({(dial, other)} if unit == CLOCK else set()))


def amount(word: str) -> Amount | None:
    """The amount that a word of a reading stands for: "2|hour", a unit alone, "both"; or None."""
    value, bar, unit = word.partition("|")
    amounts: dict[str, tuple[str, str]] = grammar.data("quantities")["named"]
    if bar:
        return value, unit
    if word in amounts:
        value, unit = amounts[word]
        return value, unit
    return ("1", word) if word in grammar.data("quantities")["units"] else None


def _in_base(amount: Amount) -> Amount:
    """The amount in the smallest unit of its sort. A year of the calendar is no amount."""
    bases: dict[str, tuple[str, float]] = grammar.data("quantities")["bases"]
    value, unit = amount
    if unit not in bases or len(value) > LONGEST_AMOUNT or not DECIMAL.fullmatch(value):
        return amount
    if unit == "year" and float(value) >= CALENDAR:
        return amount
    base, factor = bases[unit]
    return _in_base((f"{float(value) * factor:.12g}", base))


def _on_the_dial(value: str) -> str:
    """A time of day on a clock of twelve hours."""
    hour, colon, minute = value.partition(":")
    told = hour.isdecimal() and len(hour) <= len(str(HOURS)) and int(hour) <= HOURS
    return f"{int(hour) % 12}{colon}{minute}" if told else value


def _clock(written: str, found: str, *, half: bool, said: str = "") -> str:
    """An hour, or hour:minute, on a clock of 24 hours.

    `found` may begin with a word for the afternoon or evening; `said` may be "am" or "pm".
    """
    hour, _, minute = written.replace(",", "").partition(":")
    words = tuple(grammar.data("quantities")["afternoon"])
    if len(hour) > LONGEST_AMOUNT or not hour.isdecimal():
        return written
    night = found.startswith(tuple(grammar.data("quantities")["night"]))
    if int(hour) == NOON:
        shifted = 0 if night or said == "am" else NOON
    else:
        later = said == "pm" or (found.startswith(words) and not (night and int(hour) < DAWN))
        shifted = int(hour) + (NOON if later and int(hour) < NOON else 0)
    minutes = "30" if half else minute
    return f"{shifted}:{minutes}" if minutes.strip("0") else str(shifted)


def _multiplied(rest: str) -> tuple[int, str]:
    """(factor, what follows) of the words after a number; "kg" is a unit, "k" a thousand."""
    factors: dict[str, int] = grammar.data("quantities")["multipliers"]
    for word in sorted(factors, key=len, reverse=True):
        after = rest[len(word) :].strip()
        if rest not in grammar.units() and rest.startswith(word):
            return factors[word], after
    return 1, rest


def of_words(found: str) -> tuple[str, str]:
    """(value, unit) of English number words.

    >>> of_words("two hundred and five"), of_words("three days")
    (('205', ''), ('3', 'day'))
    """
    numbers: dict[str, int] = grammar.data("quantities")["number_words"]
    total, unit = 0, ""
    for word in re.findall(r"[^\W\d_]+", found):
        unit = "times" if word in {"once", "twice", "thrice"} else unit
        if word not in numbers:
            unit = grammar.units().get(word, unit)
        elif numbers[word] >= 100:
            total = max(total, 1) * numbers[word]
        else:
            total += numbers[word]
    return str(total), unit


def of_han(found: str) -> tuple[str, str]:
    """(value, unit) of Chinese numerals.

    >>> of_han("两千元"), of_han("三十五"), of_han("百分之二十"), of_han("二〇二四年")
    (('2000', 'cny'), ('35', ''), ('20', 'percent'), ('2024', 'year'))
    >>> of_han("下午六点半")
    ('18:30', 'clock')
    """
    quantities = grammar.data("quantities")
    digits, powers = quantities["han_digits"], quantities["han_powers"]
    body = re.sub(rf"^(?:{PERCENT}|{'|'.join(quantities['afternoon'])})", "", found)
    end = next((i for i, c in enumerate(body) if c not in digits and c not in powers), len(body))
    rest = body[end:]
    unit = "percent" if found.startswith(PERCENT) else grammar.units().get(rest.lstrip("号日"), "")
    run = body[:LONGEST_AMOUNT] if end > LONGEST_AMOUNT else body[:end]
    if any(c in powers for c in run):
        value = str(_sum(run, digits, powers))
    else:
        value = "".join(str(digits[c]) for c in run)
    if rest.startswith("点"):
        return _clock(value, found, half="半" in rest), CLOCK
    return _value(value), unit


def _sum(run: str, digits: dict[str, int], powers: dict[str, int]) -> int:
    """三万五千二十 is 35,020: below each 万 or 亿 the parts are added up. The last digit is of the
    place that comes next: 三千五 is 3,500, 三千零五 is 3,005."""
    total, part, digit, place = 0, 0, 0, 1
    for char in run:
        if char in digits:
            digit, place = digits[char], place if digits[char] else 1
        elif powers[char] >= powers["万"]:
            total, part, digit = (total + part + digit or 1) * powers[char], 0, 0
            place = powers["千"]
        else:
            part, digit, place = part + (digit or 1) * powers[char], 0, powers[char] // 10
    return total + part + digit * place


def _value(written: str, times: int = 1) -> str:
    """One spelling for one value: no separators, no leading zeros, no ":00"."""
    bare = written.replace(",", "").removesuffix(":00")
    if len(bare) > LONGEST_AMOUNT or ":" in bare:
        return bare
    return f"{float(bare) * times:.15g}"
