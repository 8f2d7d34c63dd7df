"""What a trace holds in plain words: arms, strategies, stages, verdicts, filters, what was away."""

import json
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ledger.pages.words import attribute_word
from recall.gate import BEYOND_TOP_K, NOT_ANSWERED
from recall.looking import ANEW, APPROXIMATE, AT_HAND, EXACT, NOT_ASKED, WORDS

PART_WORDS = {
    "relevance": pgettext_lazy("score", "Fits the question"),
    "recency": pgettext_lazy("score", "Recent"),
    "importance": pgettext_lazy("score", "Important"),
}
# The ways of searching, and where the index of the subject came from.
ARM_WORDS = {
    "lexical": gettext_lazy("by shared words"),
    "vector": gettext_lazy("by meaning"),
    "context": gettext_lazy("by meaning, with what was said before it"),
    "exact": gettext_lazy("by the exact thing asked for"),
    "period": gettext_lazy("by the time asked about"),
    "named": gettext_lazy("by who said it"),
    "index": gettext_lazy("the index"),
}
STRATEGY_WORDS = {
    EXACT: gettext_lazy("every memory of this subject compared, none skipped"),
    APPROXIMATE: gettext_lazy(
        "there are very many: an index chose the likely ones, and these were compared exactly"
    ),
    NOT_ASKED: gettext_lazy("not asked: the encoder was away"),
    WORDS: gettext_lazy("BM25 over keyed hashes of the words"),
    AT_HAND: gettext_lazy("at hand from an earlier question"),
    ANEW: gettext_lazy("read anew from the database"),
}
STAGE_WORDS = {
    "scope": gettext_lazy("finding the subject, and whether it was just asked"),
    "encode": gettext_lazy("turning the question into a vector, and taking in what is new"),
    "arms": gettext_lazy("searching in every way"),
    "rank": gettext_lazy("scoring, and applying the rules"),
    "pack": gettext_lazy("packing the context"),
}
MISSING_WORDS = {
    "vector": gettext_lazy(
        "The encoder was away, so that no meaning was compared: memories could be found by words, "
        "names and times only."
    ),
    "cache": gettext_lazy(
        "What is kept at hand was away, so that everything was read anew. The answer is the same; "
        "it only took longer."
    ),
}
FILTER_WORDS = {
    "attribute": gettext_lazy("Only the attribute"),
    "session": gettext_lazy("Only from the conversation"),
    "agent": gettext_lazy("Only from the agent"),
}
# For each rule of the gate, and for the end of the list: a heading, and why.
VERDICT_WORDS = {
    BEYOND_TOP_K: (
        gettext_lazy("Not among the best"),
        gettext_lazy("Nothing speaks against them; better ones had filled the answer."),
    ),
    NOT_ANSWERED: (
        gettext_lazy("Do not answer the question"),
        gettext_lazy("Nothing that is remembered seems to answer it; the nearest are no answer."),
    ),
    "pending_review": (
        gettext_lazy("Waiting for review"),
        gettext_lazy("Nobody has approved them yet."),
    ),
    "not_yet_valid": (
        gettext_lazy("Not yet true"),
        gettext_lazy("They become true only after the moment that was asked about."),
    ),
    "ended": (
        gettext_lazy("No longer true"),
        gettext_lazy("They had stopped being true by the moment that was asked about."),
    ),
    "expired": (
        gettext_lazy("Expired"),
        gettext_lazy("Whoever wrote them wanted them used for a limited time only."),
    ),
    "sensitive": (
        gettext_lazy("Sensitive"),
        gettext_lazy(
            "They speak of something that the policy does not let this question bring: health, "
            "religion, politics, sexuality or ethnicity."
        ),
    ),
    "other_kind": (
        gettext_lazy("Of another kind"),
        gettext_lazy("The question asked for certain kinds of memories only."),
    ),
    "filtered_out": (
        gettext_lazy("Left out by a filter"),
        gettext_lazy(
            "The question asked only for memories of a certain attribute, conversation, agent or "
            "label."
        ),
    ),
    "below_min_score": (
        gettext_lazy("Score too low"),
        gettext_lazy("The question set a least score, and they are below it."),
    ),
}


def missing_words(name: str) -> str:
    """What a recall had to do without, as a sentence."""
    known = MISSING_WORDS.get(name)
    return str(known) if known else _("Recall had to do without this: %(name)s.") % {"name": name}


def filters_in_words(filters: dict[str, Any]) -> list[tuple[str, str]]:
    """What a question's filters ask, as pairs of a heading and what must hold."""
    if attribute := filters.get("attribute"):
        filters = filters | {"attribute": attribute_word(attribute)}
    asked = [(str(words), filters[name]) for name, words in FILTER_WORDS.items() if name in filters]
    for name, value in sorted(filters.get("metadata", {}).items()):
        wanted = value if isinstance(value, str) else json.dumps(value)
        asked.append((_("Only with the label %(name)s") % {"name": name}, wanted))
    return asked
