"""PINs, one-time codes and the codes of doors and locks, in English sentences."""

from ledger.privacy.password_words import (
    IS,
    KEYED,
    NUMBER_WORD,
    WORD,
    is_given,
    rule,
)

KEYED_IN = (
    rule(
        "number words",
        rf"(?:{WORD}|(?<![A-Za-z])(?:pin|code))(?:\s[^\s.,;:!?=]{{1,20}}){{0,5}}?(?:'s|\sis|:)\s"
        rf"(?P<value>{NUMBER_WORD}(?:[ -]{NUMBER_WORD}){{3,8}})(?![A-Za-z])",
    ),
    rule(
        "one-time code",
        r"(?<![A-Za-z])(?:otp|one[ -]?time\s(?:pass)?code|(?:verification|auth|login|"
        r"authentication|"
        r"sign-in|2fa|mfa|sms|security|id|google|whatsapp|telegram|paypal)\scode)"
        r"(?:\s[^\s.,;:!?=]{1,20}){0,4}?(?:\sis:?|:|=|\s)\s{0,2}"
        r"['\"`]?(?P<value>[0-9](?:[ -]?[0-9]){3,7}|[A-Z]{1,2}-[0-9]{4,8})(?![0-9A-Za-z-])",
        is_given,
    ),
    rule(
        "grouped digits",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,4}}?(?:'s|\sis|:|\s=)\s['\"`]?"
        r"(?P<value>[0-9]{2,4}(?:[ -][0-9]{2,4}){1,3})(?![0-9A-Za-z:.-])",
        is_given,
    ),
    rule(
        "combination of a thing",
        rf"(?<![A-Za-z]){KEYED}(?:\s[^\s.,;:!?=]{{1,20}}){{0,3}}?\s(?:opens?|unlocks?|locked|code|combo)"
        r"(?:\s(?:with|by|using|at|is|was)|:)\s"
        r"(?P<value>[0-9]{1,2}(?:\s?-\s?[0-9]{1,2}){2,3})(?![0-9A-Za-z-])",
    ),
    rule(
        "several pins",
        r"(?<![A-Za-z])(?:pins|passcodes)(?:\s(?:are|were)|\s?:)\s"
        r"(?P<value>[0-9]{4,8}(?:(?:,|,?\sand|\sor)\s[0-9]{4,8}){0,4})(?![0-9A-Za-z-])",
        is_given,
    ),
    rule(
        "combination of digits",
        r"(?<![A-Za-z])(?:combination|combo)(?:\s[^\s.,;:!?=]{1,20}){0,4}?(?:'s|\sis|\swas|:)\s"
        r"(?P<value>[0-9]{3,6})(?=\s*(?:[.,;!?\n](?![0-9])|\Z))",
        is_given,
    ),
    rule(
        "lock beside",
        r"(?<![A-Za-z])(?:keypad|padlock|lock\s?box|key\s?safe)\s(?P<value>[0-9]{4,6}#?)(?![0-9A-Za-z.,-])",
        is_given,
    ),
    rule(
        "combination",
        r"(?<![A-Za-z])(?:combination|combo)(?:\s[^\s.,;:!?=]{1,20}){0,4}?(?:'s|\sis|:|\s)\s{0,2}"
        r"(?P<value>(?=[0-9 -]{0,9}[0-9]{2})[0-9]{1,2}(?:\s?-\s?[0-9]{1,2}){2,3})(?![0-9A-Za-z-])",
    ),
    rule(
        "backup code",
        r"(?<![A-Za-z])(?:backup|recovery)\scodes?(?:\s(?:is|are)|:)\s['\"`]?"
        r"(?P<value>(?=[A-Z-]{0,12}[0-9])[0-9A-Z]{3,10}(?:-[0-9A-Z]{3,10}){0,4})(?![0-9A-Za-z-])",
    ),
    rule(
        "keyed alone",
        r"(?<![A-Za-z])(?:keypad|padlock|lock\s?box|key\s?safe|lock|safe|locker|alarm|deadbolt|"
        r"(?:door|gate)(?=\stakes))"
        r"(?:'s|\sis|\swas|\sto|\stakes|:)\s(?:now\s|set\sto\s)?"
        r"(?P<value>[*#]?[0-9](?:-?[0-9]){2,7}[*#]?)(?![0-9A-Za-z:]|\s?[ap]m|-[0-9])",
        is_given,
    ),
    rule(
        "pin",
        r"(?<![A-Za-z])(?:pin|puk)(?:\s(?:code|number))?(?:\s[^\s.,;:!?=]{1,20}){0,5}?"
        rf"(?:\sis|\swas|\sto|'s|\s?{IS}|[码碼]?\s?[是为為]?|\?|,\s(?:it|that)(?:'s|\sis))?\s{{0,2}}['\"`(]?"
        r"(?P<value>[0-9](?:[ -]?[0-9]){3,7})(?![0-9A-Za-z])",
        is_given,
    ),
    rule(
        "pin changed",
        r"(?<![A-Za-z])pin[^\n.:=]{0,30}?\sfrom\s[0-9]{4,8}\sto\s(?P<value>[0-9]{4,8})(?![0-9A-Za-z])",
    ),
    rule(
        "that is the pin",
        r"(?<![0-9A-Za-z.,-])(?P<value>[0-9]{4,8})\s(?:is|as)\s(?:my|the|our|his|her|its|a)\s"
        r"(?:[^\s.]{1,20}\s){0,3}?(?:pin|passcode)(?![A-Za-z])",
    ),
    rule(
        "keyed",
        rf"(?<![A-Za-z])(?:{KEYED}(?:\s(?:pin|key))?\s(?:code|combo|combination)|"
        rf"(?:code|combo|combination)\s(?:for|to|of)\s(?:(?:the|my|our|his|her)\s)?{KEYED}|"
        rf"code\sto\s(?:get|open|enter|unlock|disarm)(?![a-z]))"
        rf"(?:\s[^\s.,;:!?=]{{1,20}}){{0,5}}?(?:\sis|\swas|\sto|'s|{IS}|\s)\s{{0,2}}(?:now\s)?['\"`]?"
        r"(?P<value>[*#]?(?:[A-Z]{1,2}-?)?[0-9](?:-?[0-9]){2,9}[A-Z]?[*#]?)(?![0-9A-Za-z])",
        is_given,
    ),
)
