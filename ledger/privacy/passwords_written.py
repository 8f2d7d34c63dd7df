"""Passwords in assignments, commands, links and pairs."""

from ledger.privacy.password_words import (
    ACCOUNT,
    IS,
    LATIN,
    TYPED,
    VALUE,
    is_assigned,
    is_given,
    is_mixed,
    is_odd,
    is_option,
    is_very_mixed,
    rule,
)

WRITTEN = (
    rule("assigned", rf"{LATIN}['\"`*\\]{{0,3}}\s{{0,2}}{IS}[\s*]{{0,3}}\\?{VALUE}", is_assigned),
    rule("dashed", rf"(?<![A-Za-z0-9]){LATIN}\s[-–—]\s{VALUE}(?=\s*(?:[,;\n]|\Z))", is_mixed),
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
        is_option,
    ),
    rule(
        "user and password",
        r"(?<![a-z])(?:curl|wget|http|https|smbclient|ab|xh)(?:\s[^\n\s]{1,120}){0,6}?\s"
        rf"(?:-u|-U|-a|--user|--auth)[\s=]?['\"]?[^\s:'\"%]{{1,64}}[:%](?P<value>{TYPED}{{1,128}})",
    ),
    rule("option", rf"--?(?:\w{{1,20}}-)?(?:pass|{LATIN})[\s=]['\"]?{VALUE}", is_mixed),
    rule("identified by", rf"identified\s(?:with\s\S{{1,40}}\s)?by\s{VALUE}", is_given),
    rule("required", rf"(?:requirepass|masterauth)\s{VALUE}", is_given),
    rule(
        "usual account",
        r"(?<![A-Za-z0-9./@_-])(?:admin|administrator|root|guest|ubuntu|postgres|sa|pi|demo)\s?[:/](?!/)\s?"
        rf"(?P<value>{TYPED}{{5,64}}(?<![.?:)]))(?![(/])",
        is_odd,
    ),
    rule("network card", r"WIFI:(?:[a-z]:[^;\n]{0,64};){0,5}?P:\"?(?P<value>[^;\n\"]{3,64})"),
    rule(
        "default pair",
        r"(?<![A-Za-z0-9./@_-])(admin|root|guest|pi|postgres|oracle|cisco|tomcat|ubuntu)\s?[/:]\s?(?P<value>(?:\1(?<!root:root)|toor|"
        r"raspberry|password|12345\d*))(?![\w/:-]|\.\w)",
    ),
    rule(
        "address and password",
        rf"(?:log|sign)(?:ged)?[ -]?(?:in|on)[^\n]{{0,30}}?\s[\w.+-]{{1,40}}@[\w.-]{{1,40}}"
        rf"\s(?:and|with|plus|\+)\s{VALUE}",
        is_odd,
    ),
    rule(
        "short pair",
        rf"(?<![A-Za-z])(?:l|u|un|id|login|user)\s?[:=]\s?[^\s:=]{{1,60}}[\s,;/|]{{1,3}}p\s?[:=]\s?{VALUE}",
        is_given,
    ),
    rule(
        "net use",
        rf"(?<![a-z])net\s(?:use(?:\s\S{{1,60}}){{1,3}}?\s/user:\S{{1,40}}|user\s[^\s/]{{1,40}})"
        rf"\s(?!/)(?P<value>{TYPED}{{3,64}})",
        is_mixed,
    ),
    rule("pass:", rf"-pass(?:in|out)?\spass:(?P<value>{TYPED}{{3,128}})"),
    rule("piped", rf"echo\s['\"]?(?P<value>{TYPED}{{3,64}})['\"]?\s\|\s(?:sudo\s-S|docker\slogin)"),
    rule(
        "pair",
        rf"(?<![a-z])(?<!//){ACCOUNT}(?:/?(?:password|密码|密碼))?(?:\s?{IS}|\s?(?:is|are|with|as|using|是|为|用)(?![a-z]))?"
        rf"\s{{0,2}}['\"`]?(?:[^\s/|,，'\"`]{{1,60}})?['\"`]?(?:\s?[/|]\s?|\s:\s){VALUE}",
        is_very_mixed,
    ),
    rule(
        "pair with a colon",
        rf"(?<![a-z]){ACCOUNT}(?:\s?{IS}|\s(?:is|are))\s{{0,2}}['\"`]?[^\s/|:,，'\"`]{{1,60}}:{VALUE}",
        is_odd,
    ),
)
