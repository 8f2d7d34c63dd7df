"""Passwords that a Chinese sentence tells."""

from ledger.privacy.password_words import (
    DIGIT,
    HAN_IS,
    HAN_WORD,
    SAME,
    TYPED,
    VALUE,
    WORD,
    in_chinese,
    is_chinese_phrase,
    is_code,
    is_free_phrase,
    is_given,
    is_key,
    is_mixed,
    is_very_mixed,
    rule,
)
from ledger.privacy.reading import HAN

CHINESE = (
    rule(
        "chinese",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,12}}?{HAN_IS}\s{{0,3}}"
        rf"(?:全?部?[大小][写寫]的?|全?拼音?|英文|字母|数字|數字|汉语|我们?|的|名字|生日|加){{0,3}}\s?"
        rf"(?:[{HAN}]{{0,8}}(?:手机号码?|手機號碼?|电话|電話|生日|名字|拼音|[缩简縮簡][写寫]|工号|学号|年份|后[四六]位)[:,，]?)?"
        rf"\s?{VALUE}",
        in_chinese,
    ),
    rule(
        "chinese of an english word",
        rf"{WORD}[^，。,;；！？!?\n:=]{{0,12}}?\s?(?=[{HAN}]){HAN_IS}\s{{0,3}}{VALUE}",
        in_chinese,
    ),
    rule(
        "chinese phrase",
        rf"(?<!流量)(?<!财富)(?<!幸福)(?<!成功){HAN_WORD}(?:就|还|還)?(?:是|叫|:|为|為|=)\s?(?P<value>[{HAN}]{{4,16}})(?=\s*(?:[,，。;；!！\n]|\Z))",
        is_chinese_phrase,
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
        rf"(?:口令|暗号|暗號|暗语|暗語)就?(?:是|:|叫|用|[改换設设定][为為成])\s?(?P<value>[{HAN}]{{2,16}})(?=\s*(?:[,，。;；!！\n]|\Z))",
        is_chinese_phrase,
    ),
    rule(
        "chinese quoted",
        rf"{HAN_WORD}[^，。,;；！？!?\n]{{0,12}}?[“「\"'『](?P<value>[{HAN}]{{2,16}}|{TYPED}{{3,64}})[”」\"'』]",
        is_given,
    ),
    rule(
        "chinese digits",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,6}}?{HAN_IS}\s?(?P<value>{DIGIT}{{4,12}})(?![{HAN}])",
    ),
    rule(
        "chinese assigned words",
        rf"{HAN_WORD}\s?:\s?"
        rf"(?P<value>[0-9A-Za-z]{{2,20}}(?: [A-Za-z0-9]{{2,20}}){{0,3}} [0-9]{{2,8}})"
        r"(?=\s*(?:[，,。;；!！\n]|\Z))",
    ),
    rule(
        "chinese and digits",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,12}}?{HAN_IS}\s{{0,3}}"
        rf"(?P<value>[{HAN}]{{2,6}}[0-9]{{2,8}}[!@#]{{0,3}})(?=\s*(?:[，,。;；！\n]|\Z))",
        is_chinese_phrase,
    ),
    rule(
        "chinese words of letters",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,12}}?{HAN_IS}\s{{0,3}}"
        r"(?P<value>[a-z]{1,20}(?: [a-z]{1,20}){0,22} (?:[a-z]{1,20}|[0-9]{2,8}))"
        r"(?=\s*(?:[，,。;；!！\n]|\Z))",
        is_free_phrase,
    ),
    rule(
        "chinese word beside",
        rf"(?<!动态){HAN_WORD}\s?(?P<value>[a-z]{{4,20}})(?=\s*(?:[，,。;；!！\n]|\Z))",
        is_free_phrase,
    ),
    rule(
        "chinese default",
        rf"{HAN_WORD}\s?(?P<value>admin|root|guest|user)(?=\s*(?:[，,。;；!！\n]|\Z))",
    ),
    rule(
        "chinese that is my word",
        rf"(?<![a-z0-9_.@-])(?<![a-z]\s)(?P<value>[a-z]{{5,20}})[”」\"'`]?\s?就?是(?:我|你|他|她|咱|家)"
        rf"[^，。,\n是]{{0,10}}?{HAN_WORD}(?=\s*(?:[，,。;；!！\n]|\Z))",
        is_free_phrase,
    ),
    rule("chinese short", rf"{HAN_WORD}[是为:]?\s?(?P<value>[0-9]{{3}})(?![0-9A-Za-z.-])", is_code),
    rule(
        "chinese gate",
        r"(?:大门|单元门|楼门|铁门|门口|大門|車庫|车库|道闸)[要得先是按输:]{0,3}\s?(?P<value>[0-9]{3,6}#)",
    ),
    rule(
        "chinese gate pressed",
        r"(?:进|進|门|門|楼|锁|电梯)[^\n。]{0,12}?[按输]入?\s?(?P<value>[*#]?[0-9]{3,8}#)",
    ),
    rule(
        "chinese told of",
        rf"{HAN_WORD}(?:就|还|其实|其實)?是[{HAN}]{{1,12}}(?<![在用到给給跟和发發存])\s?"
        r"(?P<value>[a-z]{5,20})(?=\s*(?:[，,。;；!！\n]|\Z))",
        is_free_phrase,
    ),
    rule(
        "chinese made of",
        rf"{HAN_WORD}(?:就|还|其实|其實)?是[{HAN}]{{1,12}}(?<![在用到给給跟和发發存])[:,，]?\s?"
        rf"{VALUE}(?=\s*(?:[，,。;；!！\n]|\Z))",
        is_very_mixed,
    ),
    rule(
        "chinese it was",
        rf"(?<![0-9A-Za-z_@#$%!-])(?P<value>[0-9]{{4,8}}|{TYPED}{{5,64}})\s?[,，]\s?{HAN_WORD}就?是?(?:这个|它|这)",
        is_key,
    ),
    rule(
        "chinese counted digits",
        rf"{HAN_WORD}[^，。,;；！？!?\n:=]{{0,8}}?(?:{HAN_IS})?\s?(?P<value>[0-9一两二三四五六七八九十]个"
        r"[0-9A-Za-z零一二三四五六七八九](?:[,，:(]?\s?[0-9A-Za-z]{4,16})?)",
    ),
    rule(
        "chinese digits behind",
        rf"{HAN_WORD}[^\n。；;0-9]{{0,16}}?[{HAN},，:\s](?<!误码)(?<!誤碼)\s?(?P<value>[0-9]{{4,8}}#?)(?![0-9A-Za-z.%-])",
        is_code,
    ),
    rule(
        "chinese that is",
        rf"(?<![0-9A-Za-z_@#$%!-])(?P<value>{TYPED}{{4,64}}?)[”」\"'`]?\s?(?:这个|，|,)?(?:这|那)?[就才也]?[是为為当當]"
        rf"[^，。,\n是]{{0,10}}?{HAN_WORD}",
        is_key,
    ),
    rule(
        "chinese opens",
        rf"(?:输入?|按|用|敲|键入|輸入?)\s?[“「\"'`]?(?P<value>[*#]?[0-9]{{4,8}}[*#]?|{TYPED}{{5,64}}?)[”」\"'`]?\s?"
        "(?:就|即|才|来|就能|可以|就可以|可|能|去)*(?:开[门锁机]|開[門鎖機]|解[锁鎖]|登[录陆錄]|进门|进去|打开|解压)",
        is_key,
    ),
    rule(
        "chinese one-time code",
        r"(?:验证码|驗證碼|校验码|动态码|动态密码|动态口令|安全码)(?:[是为為:]|\s)?\s?[“「【\"]?"
        r"(?P<value>[0-9]{4,8})(?![0-9A-Za-z])",
        is_code,
    ),
    rule(
        "chinese security answer",
        rf"(?:密保|安全问题|安全問題)[^\n。]{{0,24}}?答案[是为為:填]{{1,2}}\s?[“「\"]?"
        rf"(?P<value>[{HAN}A-Za-z0-9]{{2,20}})",
        is_given,
    ),
    rule(
        "chinese network",
        rf"wi-?fi[^\n，,。]{{0,24}}?[，,]\s?(?P<value>(?=[^\s]*[a-z])(?=[^\s]*[0-9]){TYPED}{{8,63}})"
        rf"(?=\s*(?:[，。,!\n]|\Z))",
        is_very_mixed,
    ),
    rule(
        "chinese pair",
        rf"(?:账号|帐号|帳號|用户名|账户|登录名?)(?:和|及|/|、)?{HAN_WORD}?(?:分别)?(?:是|为|:|\s){{0,3}}"
        rf"[^\s/|,、和{HAN}]{{2,40}}\s?(?:[/|,、和]|\s)\s?{VALUE}",
        is_very_mixed,
    ),
)
