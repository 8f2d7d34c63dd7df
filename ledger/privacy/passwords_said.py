"""Passwords that an English sentence tells."""

from ledger.privacy.password_words import (
    ACCOUNT,
    CHANGE,
    IS,
    LATIN,
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
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,30}}){{0,7}}?(?:'s|\sis|\swas|\sbe|\sbeen|\sremains):?\s"
        r"(?:now\s|still\s|currently\s|just\s|again\s|probably\s|simply\s|literally\s|exactly\s|"
        rf"set\sto\s|set\sas\s|all\s(?:lower|upper)[ -]?case:?\s|all\scaps:?\s)?{VALUE}",
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
        r"(?<![A-Za-z])(?:(?:secret|memorable|magic)\s|(?:code|safe)\s?)word(?:\s[^\s.,;:!?=]{1,20}){0,4}?"
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
        "security answer",
        r"(?<![A-Za-z])(?:security\squestion[^\n]{0,60}?[\s(\"]answer|"
        r"answer\sto\s(?:my|the|our|his|her)\s(?:security|secret)\squestion(?:\s\([^()\n]{1,40}\))?[^\n.:(]{0,40}?|(?:security|recovery|secret)\sanswer)"
        r"(?:\s(?:for|on|at|of|there)\s[^\n.:]{1,30}?)?(?:'s|\sis|\swas|:|\s?[=→])\s['\"`“]?"
        r"(?P<value>[^\s.,;:!?'\"`”]{2,30}(?:\s[^\s.,;:!?'\"`”]{1,20}){0,3})(?=['\"`”]?\s*(?:[.,;!?)\n]|\Z))",
        is_phrase,
    ),
    rule(
        "opens with",
        r"(?<![A-Za-z])(?:disarm|decrypt|unzip|log(?:ged|s)?(?:\s(?:me|us))?\s?in(?:to)?|sign(?:ed)?\sin(?:to)?|get\sin(?:to)?|unlock(?:s|ed)?|open(?:s|ed)?)"
        r"(?:\s[^\s.,;:!?=]{1,20}){0,5}?,?\s(?:with|using|by\styping|type|enter|dial|press|use|punch\sin|key\sin|by\sentering)\s['\"`“]?"
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
        "apposition",
        rf"{WORD},\s(?=[^\s]*[0-9]){VALUE}(?=\s*(?:[.;!?)\n]|\Z))",
        is_very_mixed,
    ),
    rule(
        "after an aside",
        rf"{WORD},\s(?:[^,.\n]{{1,40}},|which)\s(?:is|was)\s{VALUE}",
        is_told,
    ),
    rule(
        "told of, then told",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,4}}?\s(?:is|was)\s(?:my|our|his|her|their|the)\s"
        rf"[^\n,.:]{{1,40}}[,:]\s(?=[^\s]*[0-9]){VALUE}(?=\s*(?:[.,;!?)\n]|\Z))",
        is_mixed,
    ),
    rule(
        "asked for",
        rf"(?<![a-z])(?:asks?|asked|prompts?|prompted)[^\n.]{{0,20}}?\s{WORD}[^\n.,]{{0,20}},?"
        rf"\s(?:use|enter|type|put|say)\s(?:in\s)?(?=\S*[^A-Za-z\s.,;:!?]){VALUE}",
        is_told,
    ),
    rule("several", rf"(?<![A-Za-z])passwords\s(?:are|were)\s{VALUE}", is_told),
    rule(
        "app password",
        rf"{WORD}[^\n:=]{{0,30}}?(?:\sis\s|[:=])\s?['\"]?"
        r"(?P<value>[a-z]{4}(?: [a-z]{4}){3})(?![A-Za-z])",
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
        r"(?P<value>[a-z]{2,20}(?:[ -](?:[a-z]{2,20}|[0-9]{1,4})){2,23})"
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
        "network key",
        r"(?<![A-Za-z])(?:(?:wi-?fi|wlan|wpa2?|network|hotspot|router|ssid)(?:[^\n.]{0,40}?(?:,|\s?/|,?\sand)(?:\s(?:the|its))?|"
        r"(?:'s)?(?:\snetwork)?(?:\ssecurity)?)\s(?:key|pass|code|login)|psk|security\skey|key\s(?:for|to|of)\s(?:(?:the|our|my)\s)?(?:wi-?fi|wlan|network|hotspot|router))"
        rf"(?:\s?{IS}|\sis|\s)\s{{0,2}}{VALUE}",
        is_mixed,
    ),
)
