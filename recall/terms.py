"""Words as search terms, pure: CJK bigrams, stemmed Latin words, numbers as they are.

PostgreSQL's own text search takes a whole Chinese sentence for one word; so terms are cut here.
Stemming is Snowball's English (Porter2).
"""

import re
import unicodedata

from ledger.stems import stem

CJK = r"\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
CJK_SUPPLEMENT = "\U00020000-\U000323af"
HAN = CJK + CJK_SUPPLEMENT
# A placeholder of a private value is one term: [PHONE_1] is not a phone, nor a one.
RUN = re.compile(
    rf"\[(?P<mask>[a-z_]+_\d+)\]|(?P<cjk>[{HAN}]+)|(?P<word>[^\W_{HAN}]+(?:['’][^\W_{HAN}]+)?)"
)
LONGEST_WORD = 64


def terms_of(text: str) -> list[str]:
    """The search terms of a text, in order, repeated as often as they occur.

    >>> terms_of("go 部署 deployment")
    ['go', '部署', 'deploy']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for match in RUN.finditer(folded):
        if mask := match["mask"]:
            found.append(mask)
        elif run := match["cjk"]:
            found += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
        else:
            word = match["word"].replace("’", "'")[:LONGEST_WORD]
            found.append(stem(word))
    return found
