"""Addresses down to the street and the number; a city or a country alone is none."""

import re

from ledger.policy.privacy import PrivateKind
from ledger.privacy import addresses_zh
from ledger.privacy.reading import alternatives, words
from ledger.privacy.rules import CUED, SHAPED, Rule, Shapes

_END = r"(?![0-9A-Za-z\u00c0-\u024f])"
_UP = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017f"
_LETTERS = r"A-Za-z\u00c0-\u024f.'-"
_CAPITALISED = rf"[{_UP}][{_LETTERS}]{{1,24}}"
_JOINER = (
    r"(?:(?:of|the|on|upon|under|am|an|der|den|dem|de|del|della|di|da|do|dos|du|des|dei|degli|delle|dello|la|las|le|les|"
    r"el|los|van|von|y)\s|d'|l'|dell'){0,3}"
)
_DIRECTION = r"(?:(?:NE|NW|SE|SW|[NSEW]|North|South|East|West|Upper|Lower)\.?)"
_KIND = rf"(?:{alternatives(words('street_kinds_en.txt'))}){_END}(?:\.(?=,|\s[A-Z0-9#]))?"
_NUMBER = (
    r"(?<![0-9A-Za-z.,$€£¥#])(?:(?:[Nn]o\.?|Blk|Block|Plot|House|(?:H|D|House|Door|Plot|Flat|Shop)\.?"
    r"\s?No\.?)\s?)?[0-9]{1,6}[A-Za-z]?"
    r"(?:[-/][0-9]{1,5}[A-Za-z]?){0,4}(?:\s1/2)?(?:,\s(?:Lane|Alley|Sec\.?|Section)\s[0-9]{1,4}){0,3}"
)
_STOREY = r"(?:[0-9]{1,3}(?:st|nd|rd|th)|Ground|First|Second|Third|Fourth|Fifth|Top|Upper|Lower)"
_ROOM = (
    r"(?:(?i:Flat|Apt|Apartment|Unit|Suite|Ste|Room|Rm|Floor|Fl|Level|Shop|Block|Blk|Villa|House|"
    r"Studio|Penthouse|Cottage|Building|Bldg|Tower|Lot|Box|Door|Wing|Stop|Warehouse|Hangar|Bay|Gate|Store|Plot|"
    r"Dock|RR|HC)(?:\sNo)?\.?\s?#?"
    r"(?:[0-9]{1,5}[A-Za-z]?(?:-[0-9]{1,4})?|[A-Z](?:-?[0-9]{1,4})?)"
    rf"{_END}|{_STOREY}\s[Ff]l(?:oor|\.)?{_END}|#\s?[0-9A-Z]{{1,5}}(?:-[0-9]{{1,4}})?[A-Z]?{_END}|"
    rf"(?:[0-9]{{1,3}}|G)/F{_END}|[0-9]{{1,2}}[ºª°]\s?[A-Z]?{_END}|[A-Z]-?[0-9]{{1,4}}(?=,))"
)
_BUILDING = (
    rf"(?:(?:The\s)?(?:{_CAPITALISED}\s){{1,3}}?(?:House|Apartments|Towers?|Court|Building|Mansions?|"
    r"Heights|Complex|Cent(?:re|er)|Lodge|Cottages?|Mill|Barn|Farm|Manor|Rectory|Vicarage|Chapel|Stables|"
    r"Business\sPark|Plaza|Park|Residenc(?:y|es?)|Estate|Hall),\s)"
)
_NAMED_ONE = rf"(?:(?<=,\s)(?:{_CAPITALISED}\s){{0,3}}{_CAPITALISED},\s)"  # behind a room
_BEFORE = rf"(?:{_ROOM}(?:,?\s|/){_NAMED_ONE}?|{_BUILDING}){{0,3}}"

# What follows a street: rooms, towns, postcodes and countries.
_CODE = (
    r"(?:[A-Z][a-z]{1,5}\.,?\s[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]?\s?[0-9][A-Z]{2}|[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]|"
    r"[A-Z]{2,3}\s[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]|[A-Z]{2,3}\.?,?\s[0-9]{4,5}(?:-[0-9]{3,4})?|"
    r"[0-9]{4}\s?[A-Z]{2}|[A-Z]{1,2}-[0-9]{4,5}|[0-9]{3}-[0-9]{4}|[0-9]{3}\s[0-9]{2,3}|"
    rf"[0-9]{{4,6}}(?:-[0-9]{{3,4}})?|[A-Z][0-9]{{2}}\s[A-Z0-9]{{4}}|[0-9]{{2}}-[0-9]{{3}}|[0-9]{{4}}-[0-9]{{3}}|[A-Z]{{1,2}}[0-9]{{1,2}}[A-Z]?|[A-Z]{{2,3}}){_END}"
)
_COUNTRY = rf"(?:{alternatives(words('countries.txt'))}){_END}"
_NO_TOWN = (
    r"(?:Please|But|And|Or|So|If|It|The|This|That|My|We|You|He|She|They|Thanks|Thank|Call|Ask|Ring|"
    r"Mr|Mrs|Ms|Dr|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Phone|Tel|Email|Then)"
)
_TOWN = (
    rf"(?!{_NO_TOWN}{_END}){_CAPITALISED}(?:[\s-]{_JOINER}{_CAPITALISED}){{0,3}}"
    rf"(?<![.'-])(?:\s[0-9]{{1,3}}{_END}(?!\s?[ap]m))?"
)
_PLACE = (
    rf"(?:(?:\s?,\s?|\s?\n|\s-\s|\s)(?:{_ROOM}|{_CODE}(?:,?\s{_TOWN}(?:\s[A-HJ-ZØ]{{1,2}}{_END})?)?|{_COUNTRY})|"
    rf"(?:\s?,\s?|\s?\n|\s\(?){_TOWN}(?=,?\s{_CODE})|"
    rf"\s-\s{_TOWN}(?=,\s)|\s?,\s?{_TOWN}(?=\s?[,.;!?)\"'\n]|\s[a-z-]|\s*\Z)){{0,7}}"
)
_STREET = (
    rf"(?:{_DIRECTION}\s)?(?:"
    r"(?:(?:US|State|County|Old|Rural)\s)?(?:Highway|Hwy|Route|Rte|Road|FM|CR)\s(?:No\.?\s?)?"
    r"[0-9]{1,4}(?![0-9])|"
    rf"(?:The\s|Avenue\sof\s(?:the\s)?)?"
    rf"(?:[{_UP}0-9][A-Za-z0-9\u00c0-\u024f.'-]{{0,24}}\s(?:of\s|the\s){{0,2}}){{1,4}}?{_KIND}"
    r"(?:\s[0-9]{1,3}(?=\s?[,#.]|\s*\Z))?|"
    rf"(?:{_CAPITALISED}\s){{1,3}}Soi\s[0-9]{{1,3}}{_END}|The\s{_KIND}|Broadway{_END}|Avenue\s[A-Z]{_END}|Avenue\sof\sthe\sAmericas)"
    rf"(?:\s(?:{_DIRECTION}|Central){_END})?"
)
# These end the name of a street only where a town follows.
_WEAK_KIND = (
    r"(?:Hill|View|Green|Park|Cottages|Fields?|Mount|Vale|Gate|Yard|Heights|Point|Ridge|Meadows?|End|"
    r"Side|Bank|Wood|Bridge|Villas|Buildings|Common)"
)
_ROUGHLY = (
    r"(?:the|a|an|of|down|miles?|km|minutes?|hours?|blocks?|days?|times|years?|weeks?|months?|"
    r"people|more|or|and|to|in|am|pm|percent|dollars?)\s"
)
_NO_LOWER_TOWN = (
    r"(?:it|the|this|that|my|our|we|you|he|she|they|please|pls|thanks|thank|thx|btw|lol|but|and|or|so|"
    r"ok|okay|right|near|next|not|just|remember|again|though|too|by|tomorrow|today|tonight|now|soon|"
    r"call|ask|ring|come|see|bring|if|when|where|which|who|yes|no|yeah|apparently|actually)"
)
_LOWER_ROAD = r"(?:(?:county|state|rural|farm)\s)?(?:highway|hwy|route|rte|road)\s[0-9]{1,4}"
_LOWER_PLACE = (
    rf"(?:,?\s{_ROOM})?(?:,?\s[A-Za-z]{{3,20}}(?:\s[A-Za-z]{{3,20}})?,?\s(?:[A-Za-z]{{2}}\s)?"
    rf"[0-9]{{5}}{_END}|,\s(?!{_NO_LOWER_TOWN}{_END})[a-z]{{3,20}}(?:\s[a-z]{{2}})?"
    r"(?=\s*(?:[.!?\n]|\Z)|\s(?:in|from|since|until|by|on|and|but)(?![a-z])))?"
)
_CUE = (
    r"(?:(?:live|lives|living|lived|stay|staying|stays|i'm|we're|she's|he's|they're|it's|party's|deliver(?:ed)?|deliver\sit|ship(?:ped)?|"
    r"ship\sit|send\sit|mail\sit|moved?|moving|located|office\sis|based|(?:meet|pick|drop)(?:\s\w+){0,2}?|"
    r"come(?:\sover)?|get|go|back|(?:is|are|was|were)(?=\sat))\s(?:up\s|off\s)?(?:at|to|on|from)|"
    r"address(?:\sis(?:\snow)?|:|\sto)?|place\sis|house\sis|home\sis|rent(?:s|ed|ing)?|leas(?:es?|ed|ing))\s"
)

# Streets whose kind stands before their name, or within it, with the number behind.
_FRENCH = (
    r"(?:rue|avenue|av\.|boulevard|bd\.?|place|chemin|ch\.|quai|allée|allee|impasse|passage|cours|"
    r"square|route|esplanade|sentier|villa)\s"
)
_ROMANCE = (
    r"(?:Via|Viale|V\.le|Piazza|P\.za|Corso|Largo|Vicolo|Calle|C/|Avenida|Av\.|Avda\.?|Paseo|Plaza|"
    r"Pla[çz]a|Carrer|Ronda|Rua|Pra[çc]a|Travessa|Alameda|ul\.|ulica|al\.|Rue|Boulevard|Avenue|"
    r"Jalan|Jl\.?)\s?"
)
_ROMANCE_ROOM = (
    r"(?:Torre|Edificio|Edif\.?|Conjunto|Residencial|Condominio|Condomínio|Piso|Depto\.?|Apto\.?|"
    r"Apartamento|Local|Oficina|Bloque|Portal|Interno|Scala|Int\.|Bât\.?|Bâtiment)\s[A-Z0-9]\w{0,20}"
)
_GERMANIC = (
    r"(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|markt|gracht|straat|laan|plein|"
    r"dijk|singel|gatan|vägen|vej|gade|veien|gata|katu|utca)"
)
_HOUSE = (
    r"\s[0-9]{1,4}(?:\s?[a-z](?![A-Za-z])|\s?[A-Z](?:\s[0-9]{1,3})?(?=,))?"
    r"(?:[-/](?:[0-9]{1,4}|[A-Za-z]))?(?![0-9A-Za-z])"
)
_BRITISH = r"[A-Z]{1,2}[0-9][0-9A-Z]?\s[0-9][A-Z]{2}"  # a code of some fifteen houses

_RULES = (
    *addresses_zh.RULES,
    Rule("english street", re.compile(rf"{_BEFORE}{_NUMBER},?\s{_STREET}{_PLACE}"), SHAPED),
    Rule(
        "english street word",
        re.compile(
            rf"(?i:{_CUE})(?P<value>(?i:{_NUMBER}\s{_LOWER_ROAD}{_END}{_LOWER_PLACE}|"
            rf"(?:{_ROOM},?\s)?{_NUMBER}\s(?:(?!{_ROUGHLY})"
            rf"[A-Za-z0-9.'-]{{1,24}}\s){{1,4}}?{_KIND}(?:\s{_DIRECTION}{_END})?{_LOWER_PLACE})"
            rf"{_PLACE})"
        ),
        CUED,
    ),
    Rule(
        "number, name, town, postcode",
        re.compile(
            rf"{_BEFORE}{_NUMBER}\s{_CAPITALISED}(?:\s{_JOINER}{_CAPITALISED}){{0,3}}"
            rf"(?:,\s{_TOWN}){{1,3}},?\s(?:[A-Z]{{1,2}}[0-9][0-9A-Z]?\s?[0-9][A-Z]{{2}}|"
            rf"[A-Z]{{2,3}}\s[0-9]{{4,5}}(?:-[0-9]{{4}})?|"
            rf"[A-Z]{{2}}\s[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]){_END}{_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "flat, building, street",
        re.compile(
            rf"(?:{_ROOM}|{_NUMBER}),?\s{_BUILDING}{_STREET}{_PLACE}|"
            rf"{_ROOM},\s(?:Street|Road|Lane)\s[0-9]{{1,3}}[A-Z]?{_END}{_PLACE}|"
            rf"(?<![A-Za-z])(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)\s{_STREET}"
            rf"(?=,\s(?:{_ROOM}|{_TOWN},?\s{_CODE})){_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "street of a word, town",
        re.compile(
            rf"(?<![A-Za-z])(?i:at|to|address\sis|address:|on)\s(?P<value>{_BEFORE}{_NUMBER}\s"
            rf"(?:{_CAPITALISED}\s){{1,2}}{_WEAK_KIND}{_END},\s{_TOWN}{_PLACE})"
        ),
        SHAPED,
    ),
    Rule(
        "house or street, town, british postcode",
        re.compile(
            rf"(?<![{_LETTERS}])(?:The\s)?(?!{_NO_TOWN}{_END})(?:{_CAPITALISED}(?:[\s-]{_JOINER}{_CAPITALISED}){{0,3}},\s){{1,4}}"
            rf"(?:{_CAPITALISED}(?:[\s-]{_JOINER}{_CAPITALISED}){{0,3}},?\s)?{_BRITISH}{_END}"
        ),
        SHAPED,
        lambda match: match[0].count(",") > 1 or re.search(_KIND, match[0]) is not None,
    ),
    Rule(
        "post box",
        re.compile(
            r"(?<![A-Za-z])(?:(?i:G?P\.?\s?O\.?\sBox)|Private\sBag|Postfach|Locked\sBag|Apartado|Casilla|"
            r"(?:B\.?P\.?|CP|Boîte\spostale)(?=\s[0-9]{2,5},?\s[0-9]{4,5}\s))\s"
            rf"[A-Z]?[0-9]{{1,7}}{_END}{_PLACE}|"
            rf"(?<![A-Za-z])(?:RR|HC|Rural\sRoute)\s?#?[0-9]{{1,3}},?\s(?i:box)\s[0-9]{{1,5}}{_END}{_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "military post",
        re.compile(
            r"(?<![A-Za-z])(?:PSC|CMR|Unit)\s[0-9]{1,5},?\s(?:Box\s[0-9]{1,5},?\s)?"
            r"[AFD]PO,?\sA[AEP]\s[0-9]{5}(?![0-9])"
        ),
        SHAPED,
    ),
    Rule(
        "german street",
        re.compile(
            rf"(?<![{_LETTERS}])(?:(?:[{_UP}][{_LETTERS}]{{1,24}}\s){{0,2}}[{_UP}]"
            rf"(?:[A-Za-z\u00c0-\u024f-]{{1,30}}{_GERMANIC}|(?i:{_GERMANIC}))|"
            rf"(?:Am|An\s(?:der|den)|Im|In\sder|Unter\sden|Auf\sder|Zum|Zur)\s{_CAPITALISED})"
            rf"{_HOUSE}{_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "french street",
        re.compile(
            rf"{_BEFORE}(?<![0-9A-Za-z.,])[0-9]{{1,4}}(?:\s(?i:bis|ter))?,?\s(?i:{_FRENCH}){_JOINER}"
            rf"{_CAPITALISED}(?:[\s-]{_JOINER}{_CAPITALISED}){{0,3}}{_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "street before number",
        re.compile(
            rf"(?<![A-Za-z])(?:{_ROMANCE_ROOM},\s){{0,3}}{_ROMANCE}{_JOINER}{_CAPITALISED}(?:\s{_JOINER}{_CAPITALISED}){{0,3}},?"
            rf"(?:\sn[.º°o]{{1,2}})?{_HOUSE}{_PLACE}"
        ),
        SHAPED,
    ),
    Rule(
        "name, number, postcode, town",
        re.compile(
            rf"(?<![{_LETTERS}])(?!{_NO_TOWN}{_END}){_CAPITALISED}(?:\s{_JOINER}{_CAPITALISED}){{0,3}},?{_HOUSE},\s"
            rf"(?:[A-Z]{{1,2}}-)?(?!(?:1[5-9]|20)[0-9]{{2}}\s)(?:[0-9]{{4,5}}|[0-9]{{3}}\s[0-9]{{2}})\s{_TOWN}"
            rf"(?:\s[A-HJ-ZØ]{{1,2}}{_END})?"
        ),
        SHAPED,
    ),
    Rule(
        "japanese",
        re.compile(
            rf"{_BEFORE}(?<![0-9-])[0-9]{{1,2}}(?:-ch[oō]me)?-[0-9]{{1,2}}(?:-[0-9]{{1,2}})?,?\s{_CAPITALISED}"
            rf"(?:,?\s{_CAPITALISED}){{0,3}}(?:-ku|-shi|-cho|\s[0-9]{{3}}-[0-9]{{4}})"
            rf"(?![A-Za-z0-9]){_PLACE}"
        ),
        SHAPED,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.ADDRESS, _RULES),)
