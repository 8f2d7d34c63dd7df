"""Passwords that an English sentence tells."""

from ledger.privacy.password_words import (
    ACCOUNT,
    CHANGE,
    IS,
    KEYED,
    LATIN,
    NUMBER_WORD,
    TYPED,
    VALUE,
    WORD,
    is_free_phrase,
    is_given,
    is_key,
    is_mixed,
    is_phrase,
    is_told,
    is_very_mixed,
    rule,
)

SAID = (
    rule(
        "said",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,30}}){{0,7}}?(?:'s|\sis|\swas|\sbe)\s"
        rf"(?:now\s|still\s|currently\s|just\s|again\s|probably\s|simply\s|set\sto\s|set\sas\s)?{VALUE}",
        is_told,
    ),
    rule(
        "of a thing",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,6}}?(?:\s?{IS}|\s-)\s{{0,2}}{VALUE}",
        is_mixed,
    ),
    rule("pass beside", rf"{ACCOUNT}[^\n]{{0,40}}?[\s,]pass\s{VALUE}", is_very_mixed),
    rule(
        "for a thing",
        rf"{WORD}\s(?:for|to|on|of)\s[^:\n.!?]{{1,40}}:\s{{1,2}}{VALUE}",
        is_told,
    ),
    rule(
        "words and a number",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,4}}?(?:'s|\sis|\swas|:)\s"
        r"(?P<value>[a-z]{2,20}(?:\s[a-z]{2,20}){0,3}\s[0-9]{2,8})(?=\s*(?:[.,;!?\n]|\Z))",
        is_phrase,
    ),
    rule(
        "secret word",
        r"(?<![A-Za-z])(?:secret|memorable)\sword(?:\s[^\s.,;:!?=]{1,20}){0,4}?"
        rf"(?:'s|\sis|\swas|:|\s?=)\s{VALUE}",
        is_told,
    ),
    rule(
        "pass bare",
        rf"(?<![A-Za-z])pass\s(?-i:(?=[^\s]*[a-z])(?=[^\s]*[0-9])){VALUE}",
        is_very_mixed,
    ),
    rule(
        "pass is",
        rf"(?<![A-Za-z])pass(?:\s(?:for|to|on)\s[^.,:\n]{{1,40}}?)?(?:'s|\sis|\swas|:)\s{VALUE}",
        is_very_mixed,
    ),
    rule("used to be", rf"{WORD}[^\n.:=]{{0,30}}?\sused\sto\sbe\s{VALUE}", is_told),
    rule("changed from", rf"{WORD}[^\n.:=]{{0,30}}?\sfrom\s{VALUE}['\"`”]?\sto\s", is_told),
    rule(
        "changed from and to",
        rf"{WORD}[^\n.:=]{{0,30}}?\sfrom\s['\"`“]?{TYPED}{{3,64}}['\"`”]?\sto\s{VALUE}",
        is_told,
    ),
    rule(
        "set to",
        rf"{WORD}\s(?:(?:is|was|has\sbeen|got|gets)\s)?(?:now\s)?(?:re)?(?:set|changed?)\s(?:back\s)?"
        rf"(?:to|as)\s{VALUE}",
        is_told,
    ),
    rule(
        "spaced",
        r"(?:pass(?:word|code)|p\sa\ss\ss\sw\so\sr\sd|pin|code)(?:\sis|\swas|:|\s=)\s"
        r"(?P<value>[!-~](?:\s[!-~]){3,40})(?![^\s.,;!?])",
    ),
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
        "security answer",
        r"(?<![A-Za-z])(?:security\squestion[^\n]{0,60}?[\s(\"]answer|"
        r"answer\sto\s(?:my|the|our|his|her)\s(?:security|secret)\squestion(?:\s\([^()\n]{1,40}\))?[^\n.:(]{0,40}?|(?:security|recovery|secret)\sanswer)"
        r"(?:\s(?:for|on|at|of|there)\s[^\n.:]{1,30}?)?(?:'s|\sis|\swas|:|\s?[=→])\s['\"`“]?"
        r"(?P<value>[^\s.,;:!?'\"`”]{2,30}(?:\s[^\s.,;:!?'\"`”]{1,20}){0,3})(?=['\"`”]?\s*(?:[.,;!?)\n]|\Z))",
        is_phrase,
    ),
    rule(
        "opens with",
        r"(?<![A-Za-z])(?:disarm|log(?:ged|s)?\s?in(?:to)?|sign(?:ed)?\sin(?:to)?|get\sin(?:to)?|unlock(?:s|ed)?|open(?:s|ed)?)"
        r"(?:\s[^\s.,;:!?=]{1,20}){0,5}?\s(?:with|using|by\styping|type|enter|dial|press|use|punch\sin|key\sin|by\sentering)\s['\"`“]?"
        rf"(?P<value>[*#]?[0-9]{{4,8}}[*#]?(?![0-9A-Za-z.,-]\w)|{TYPED}{{5,64}}(?<![.?:)]))",
        is_key,
    ),
    rule(
        "use to open",
        rf"(?<![A-Za-z])(?:use|type|enter|punch\sin|key\sin|dial|press)\s['\"`“]?(?P<value>[*#]?[0-9]{{4,8}}[*#]?"
        rf"(?![0-9A-Za-z.-])|{TYPED}{{5,64}}(?<![.?:)]))['\"`”]?\s(?:to|and|on|at|for)\s(?:the\s)?"
        r"(?:open|unlock|log\s?in|sign\sin|get\sin|decrypt|unzip|extract|keypad|door|gate|lock)",
        is_key,
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
    rule("several", rf"(?<![A-Za-z])passwords\s(?:are|were)\s{VALUE}", is_told),
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
        "app password",
        rf"{WORD}[^\n:]{{0,30}}?(?:\sis|:)\s(?P<value>[a-z]{{4}}(?: [a-z]{{4}}){{3}})(?![A-Za-z])",
    ),
    rule(
        "changed",
        rf"{CHANGE}[^\n.:=]{{0,30}}?{WORD}[^\n.:=]{{0,40}}?\s(?:to|as)\s{VALUE}",
        is_told,
    ),
    rule("beside", rf"{WORD}\s{{1,2}}{VALUE}", is_mixed),
    rule(
        "beside account",
        rf"(?:{ACCOUNT}|wi-?fi|network|ssid|router)[^\n]{{0,60}}?(?:[,;\s]|\sand\s){WORD}\s"
        rf"{VALUE}(?=['\"`”]?\s*(?:[.,;!?)\n]|\Z))",
        is_given,
    ),
    rule(
        "it is",
        rf"{WORD}[^\n]{{0,60}}?(?:[,.;:-]|\s(?:and|but))\s(?:now\s)?(?:so|it(?:'s|\sis|\swas)|which\sis)\s(?:now\s)?"
        rf"{VALUE}",
        is_mixed,
    ),
    rule(
        "quoted",
        rf"{WORD}[^\n'\"“”]{{0,30}}?(?:\sis|\swas|\sto|\s|{IS})\s{{0,2}}"
        r"(?:'(?=[^'\n]{3,64}')|\"(?=[^\"\n]{3,64}\")|`(?=[^`\n]{3,64}`)|"
        r"“(?=[^”\n]{3,64}”))(?P<value>[^'\"”`\n]{3,64})",
        is_given,
    ),
    rule(
        "phrase",
        r"(?<![A-Za-z])(?:pass|key|seed|recovery|mnemonic)\s?phrase(?:\s[^\s.,;:!?=]{1,20}){0,4}?"
        r"(?:'s|\sis|\swas|\sto|:|\s?=)\s(?:still\s|now\s)?['\"`“]?"
        r"(?P<value>[a-z]{2,20}(?:[ -][a-z]{2,20}){2,23})"
        r"(?=['\"`”]?\s*(?:[.,;!?\n]|\Z))",
        is_phrase,
    ),
    rule(
        "words",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,4}}?(?:'s|\sis|\swas|:|\s?=)\s(?:still\s|now\s)?['\"`“]?"
        r"(?P<value>[a-z]{3,20}(?:\s[a-z]{3,20}){1,5})(?=['\"`”]?\s*(?:[.,;!?\n]|\Z))",
        is_free_phrase,
    ),
    rule(
        "quoted before",
        r"(?<![^\s(:,])['\"`“](?P<value>[^'\"`”\n]{3,40})['\"`”],?\s"
        r"(?:is|as|for|was|that's|being)\s(?:my|the|our|his|her|a|your)\s(?:[^\s.]{1,20}\s){0,3}?"
        rf"{LATIN}(?![A-Za-z])",
    ),
    rule(
        "that is the password",
        rf"(?<![^\s'\"`“(:])(?P<value>{TYPED}{{4,64}}?)['\"`”)]?,?\s(?:is|as|for|was|that's|works\sas)"
        rf"\s(?:(?:my|the|our|his|her|a|your|all|every)\s)?(?:[^\s.]{{1,20}}\s){{0,3}}?{LATIN}(?![A-Za-z])",
        is_very_mixed,
    ),
    rule(
        "pin",
        r"(?<![A-Za-z])pin(?:\s(?:code|number))?(?:\s[^\s.,;:!?=]{1,20}){0,5}?"
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
        r"(?P<value>[*#]?[0-9A-Z]?[0-9](?:-?[0-9]){2,9}[A-Z]?[*#]?)(?![0-9A-Za-z])",
        is_given,
    ),
    rule(
        "network key",
        r"(?<![A-Za-z])(?:(?:wi-?fi|wlan|wpa2?|network|hotspot|router|ssid)(?:[^\n.]{0,40}?(?:,|,?\sand)(?:\s(?:the|its))?|"
        r"(?:'s)?(?:\snetwork)?(?:\ssecurity)?)\s(?:key|pass|code|login)|psk|security\skey)"
        rf"(?:\s?{IS}|\sis|\s)\s{{0,2}}{VALUE}",
        is_mixed,
    ),
)
