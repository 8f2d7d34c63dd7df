"""Passwords in sentences and assignments: the value alone is private, not what is said of it."""

from ledger.policy.privacy import PrivateKind
from ledger.privacy.password_words import (
    ACCOUNT,
    CHANGE,
    DIGIT,
    HAN_IS,
    HAN_WORD,
    IS,
    KEYED,
    LATIN,
    SAME,
    TYPED,
    VALUE,
    WORD,
    in_chinese,
    is_given,
    is_mixed,
    is_told,
    is_very_mixed,
    rule,
)
from ledger.privacy.reading import HAN
from ledger.privacy.rules import Shapes

_SAID = (
    rule(
        "said",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,30}}){{0,7}}?(?:'s|\sis|\swas|\sbe)\s"
        rf"(?:now\s|still\s|currently\s|just\s|again\s|probably\s|set\sto\s)?{VALUE}",
        is_told,
    ),
    rule(
        "of a thing",
        rf"{WORD}(?:\s[^\s.,;:!?=]{{1,20}}){{0,6}}?(?:\s?{IS}|\s-)\s{{0,2}}{VALUE}",
        is_mixed,
    ),
    rule("pass beside", rf"{ACCOUNT}[^\n]{{0,40}}?[\s,]pass\s{VALUE}", is_very_mixed),
    rule("pass is", rf"(?<![A-Za-z])pass(?:'s|\sis|\swas)\s{VALUE}", is_mixed),
    rule("used to be", rf"{WORD}[^\n.:=]{{0,30}}?\sused\sto\sbe\s{VALUE}", is_told),
    rule("changed from", rf"{WORD}[^\n.:=]{{0,30}}?\sfrom\s{VALUE}['\"`”]?\sto\s", is_told),
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
        rf"{WORD}[^\n]{{0,60}}?(?:[,.;:-]|\s(?:and|but))\s(?:now\s)?it(?:'s|\sis|\swas)\s(?:now\s)?"
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
        r"(?<![A-Za-z])pass ?phrase(?:\sis|\swas|:)\s(?P<value>[a-z]{2,20}(?:[ -][a-z]{2,20}){2,9})"
        r"(?=\s*(?:[.,;!?\n]|\Z))",
    ),
    rule(
        "that is the password",
        rf"(?<![^\s'\"`“(:])(?P<value>{TYPED}{{4,64}}?)['\"`”)]?,?\s(?:is|as|for|was|that's|works\sas)"
        rf"\s(?:my|the|our|his|her|a|your)\s(?:[^\s.]{{1,20}}\s){{0,3}}?{LATIN}(?![A-Za-z])",
        is_very_mixed,
    ),
    rule(
        "pin",
        r"(?<![A-Za-z])pin(?:\s(?:code|number))?(?:\s[^\s.,;:!?=]{1,20}){0,5}?"
        rf"(?:\sis|\swas|\sto|'s|{IS}|码是?|碼是?)?\s{{0,2}}['\"`(]?"
        r"(?P<value>[0-9](?:[ -]?[0-9]){3,7})(?![0-9A-Za-z])",
        is_given,
    ),
    rule(
        "that is the pin",
        r"(?<![0-9A-Za-z.,-])(?P<value>[0-9]{4,8})\s(?:is|as)\s(?:my|the|our|his|her|its|a)\s"
        r"(?:[^\s.]{1,20}\s){0,3}?(?:pin|passcode)(?![A-Za-z])",
    ),
    rule(
        "keyed",
        rf"(?<![A-Za-z])(?:{KEYED}(?:\s(?:pin|key))?\s(?:code|combo|combination)|"
        rf"(?:code|combo|combination)\s(?:for|to|of)\s(?:(?:the|my|our|his|her)\s)?{KEYED})"
        rf"(?:\s[^\s.,;:!?=]{{1,20}}){{0,5}}?(?:\sis|\swas|\sto|'s|{IS}|\s)\s{{0,2}}(?:now\s)?['\"`]?"
        r"(?P<value>[*#]?[0-9A-Z]?[0-9](?:-?[0-9]){2,9}[A-Z]?[*#]?)(?![0-9A-Za-z])",
        is_given,
    ),
    rule(
        "network key",
        r"(?<![A-Za-z])(?:wi-?fi|wlan|wpa2?|network|hotspot|router)\s(?:key|pass|code|login)"
        rf"(?:\s?{IS}|\sis|\s)\s{{0,2}}{VALUE}",
        is_mixed,
    ),
)
_WRITTEN = (
    rule("assigned", rf"{LATIN}['\"`*\\]{{0,3}}\s{{0,2}}{IS}[\s*]{{0,3}}\\?{VALUE}", is_given),
    rule("pass", rf"(?<![A-Za-z0-9])pass['\"`]?\s?{IS}\s{{0,2}}{VALUE}", is_mixed),
    rule(
        "address",
        r"(?<![a-z])[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,64}:(?P<value>[^\s/@\ufffc]{1,128})@",
    ),
    rule(
        "client",
        r"(?<![a-z])(?:mysql\w{0,10}|mariadb\w{0,6}|mongo\w{0,8}|7z|unrar|sqlcmd|psql|mosquitto_\w{3})"
        rf"(?:\s[^\n\s]{{1,60}}){{0,8}}?\s-p['\"]?(?P<value>{TYPED}{{3,64}})",
        is_given,
    ),
    rule(
        "spaced client",
        r"(?<![a-z])(?:sshpass|docker|podman|helm|az|mongo\w{0,8}|zip|unzip|redis-cli|sqlcmd|bcp|"
        rf"htpasswd|plink|pscp|rar)(?:\s[^\n\s]{{1,60}}){{0,6}}?\s-(?:p|P|a|pw)\s['\"]?"
        rf"(?P<value>{TYPED}{{3,64}})",
        is_mixed,
    ),
    rule(
        "user and password",
        r"(?<![a-z])(?:curl|wget|http|https|smbclient|ab|xh)(?:\s[^\n\s]{1,120}){0,6}?\s"
        rf"(?:-u|-U|-a|--user|--auth)[\s=]?['\"]?[^\s:'\"%]{{1,64}}[:%](?P<value>{TYPED}{{1,128}})",
    ),
    rule("option", rf"--?(?:\w{{1,20}}-)?(?:pass|{LATIN})[\s=]['\"]?{VALUE}", is_mixed),
    rule("identified by", rf"identified\s(?:with\s\S{{1,40}}\s)?by\s{VALUE}", is_given),
    rule("pass:", rf"-pass(?:in|out)?\spass:(?P<value>{TYPED}{{3,128}})"),
    rule("piped", rf"echo\s['\"]?(?P<value>{TYPED}{{3,64}})['\"]?\s\|\s(?:sudo\s-S|docker\slogin)"),
    rule(
        "pair",
        rf"(?<![a-z]){ACCOUNT}(?:/?(?:password|密码|密碼))?(?:\s?{IS}|\s?(?:is|are|with|as|是|为)(?![a-z]))?"
        rf"\s{{0,2}}['\"`]?(?:[^\s/|,，'\"`]{{1,60}})?['\"`]?(?:\s?[/|]\s?|\s:\s){VALUE}",
        is_very_mixed,
    ),
)
_CHINESE = (
    rule(
        "chinese",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,12}}?{HAN_IS}\s{{0,3}}{VALUE}",
        in_chinese,
    ),
    rule("chinese beside", rf"{HAN_WORD}\s{{0,2}}{VALUE}", is_mixed),
    rule("chinese from", rf"{HAN_WORD}[{HAN}]{{0,4}}?[从由從]\s?{VALUE}\s?[改换換变變]", is_given),
    rule(
        "chinese it is",
        rf"{HAN_WORD}[^\n。]{{0,16}}?[,，]\s?(?:现在|新的?|目前|如今|应该|还)?{HAN_IS}\s?{VALUE}",
        is_mixed,
    ),
    rule(
        "chinese same",
        rf"{HAN_WORD}[^\n。]{{0,8}}?{SAME}[^\n。]{{0,8}}?[,，:\s]\s?{VALUE}",
        is_very_mixed,
    ),
    rule(
        "chinese as",
        rf"(?:用|拿|把)\s?(?P<value>[!-~]{{3,64}})\s?(?:做|当|當|作|设|来当)[^，。\n]{{0,8}}{HAN_WORD}",
    ),
    rule(
        "chinese words",
        rf"(?:口令|暗号|暗號)(?:是|:)\s?(?P<value>[{HAN}]{{2,16}})(?=\s*(?:[,，。;；!！\n]|\Z))",
        is_given,
    ),
    rule(
        "chinese quoted",
        rf"{HAN_WORD}[^，。,;；！？!?\n]{{0,12}}?[“「\"'『](?P<value>[{HAN}]{{2,16}})[”」\"'』]",
        is_given,
    ),
    rule(
        "chinese digits",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,6}}?{HAN_IS}\s?(?P<value>{DIGIT}{{4,12}})(?![{HAN}])",
    ),
    rule(
        "chinese pair",
        rf"(?:账号|帐号|帳號|用户名|账户|登录名?)(?:和|及|/|、)?{HAN_WORD}?(?:分别)?(?:是|为|:|\s){{0,3}}"
        rf"[^\s/|,、和{HAN}]{{2,40}}\s?(?:[/|,、和]|\s)\s?{VALUE}",
        is_very_mixed,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.PASSWORD, (*_SAID, *_WRITTEN, *_CHINESE)),)
