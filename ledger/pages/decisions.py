"""The codes of the write path in plain words: why it kept, merged or dropped what was said."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ledger.pages.words import attribute_word

ROLE_WORDS = {
    "user": pgettext_lazy("role", "The person"),
    "assistant": pgettext_lazy("role", "The agent"),
    "system": pgettext_lazy("role", "The system"),
    "tool": pgettext_lazy("role", "A tool"),
}
# Rules of admission (ledger.admission).
ADMITTED_WORDS = {
    "states_fact": gettext_lazy("it states something to keep"),
    "question_with_fact": gettext_lazy("it tells something before it asks"),
    "classifier": gettext_lazy("no rule decided; it reads like something to keep"),
    "classifier_absent": gettext_lazy("no rule speaks against it"),
}
REFUSED_WORDS = {
    "repeated": gettext_lazy("it says the same thing over again"),
    "mojibake": gettext_lazy("its characters are garbled"),
    "emoji": gettext_lazy("nothing but emoji or marks"),
    "bare_value": gettext_lazy("a bare value, of which nothing is said"),
    "too_short": gettext_lazy("too short to state anything"),
    "key_mash": gettext_lazy("keys hit at random"),
    "greeting": gettext_lazy("a greeting"),
    "farewell": gettext_lazy("a farewell"),
    "thanks": gettext_lazy("thanks"),
    "filler": gettext_lazy("filler words"),
    "reaction": gettext_lazy("a mere reaction"),
    "test_message": gettext_lazy("a test message"),
    "question_without_fact": gettext_lazy("a question that states nothing"),
    "request_without_fact": gettext_lazy("a request that tells nothing of the person"),
    "classifier": gettext_lazy("no rule decided; it reads like small talk"),
}
# Rules of extraction (ledger.extraction): "pattern:…", "prototype:…", "keyword:…", "date:…".
PATTERN_WORDS = {
    "commitment": gettext_lazy("worded as a promise or a duty"),
    "instruction": gettext_lazy("worded as a rule for the agent"),
    "recurring_problem": gettext_lazy("worded as a trouble that comes back"),
    "happened": gettext_lazy("worded as something that happened"),
    "preference": gettext_lazy("worded as a preference"),
    "habit": gettext_lazy("worded as a habit"),
    "planned": gettext_lazy("worded as a plan"),
}
INTENT_WORDS = {
    "compare_price": pgettext_lazy("intent", "comparing prices"),
    "instruct": pgettext_lazy("intent", "instructing the agent"),
    "commit": pgettext_lazy("intent", "a promise or a duty"),
    "purchase": pgettext_lazy("intent", "a purchase"),
    "report_problem": pgettext_lazy("intent", "reporting a problem"),
    "complain": pgettext_lazy("intent", "a complaint"),
    "ask_help": pgettext_lazy("intent", "asking for help"),
    "state_preference": pgettext_lazy("intent", "a preference"),
    "plan": pgettext_lazy("intent", "a plan"),
    "recount": pgettext_lazy("intent", "telling what happened"),
    "state_fact": pgettext_lazy("intent", "stating a fact"),
    "feel": pgettext_lazy("intent", "telling a feeling"),
    "thank": pgettext_lazy("intent", "thanking"),
    "greet": pgettext_lazy("intent", "greeting"),
    "agree": pgettext_lazy("intent", "agreeing"),
}
EXTRACTED_BY_WORDS = {
    "model": gettext_lazy("Read by the language model, and checked against the words."),
    "rules": gettext_lazy("Read by rules."),
}
# What became of a statement (ledger.services.believe).
DISPOSITION_WORDS = {
    "stored": pgettext_lazy("disposition", "new memory"),
    "merged": pgettext_lazy("disposition", "merged with what was known"),
    "superseded": pgettext_lazy("disposition", "took the place of what was known"),
    "unchanged": pgettext_lazy("disposition", "known already"),
    "pending_review": pgettext_lazy("disposition", "waits for review"),
}
# How a statement stands to a memory, and why (ledger.merging).
RELATION_WORDS = {
    "same": gettext_lazy("says the same"),
    "replaces": gettext_lazy("gives way to it"),
    "adds": gettext_lazy("about the same, and stays"),
    "other": gettext_lazy("about something else"),
    "uncertain": gettext_lazy("a person has to decide"),
}
REASON_WORDS = {
    "identical": gettext_lazy("the same words"),
    "paraphrase": gettext_lazy("the same in other words"),
    "negation_differs": gettext_lazy("one denies what the other says"),
    "opposite_stance": gettext_lazy("one is for it, the other against"),
    "incompatible_values": gettext_lazy("both cannot hold at once"),
    "same_slot_other_value": gettext_lazy("another value where there can be only one"),
    "moved_on_cue": gettext_lazy("the words say that something changed"),
    "numbers_differ": gettext_lazy("other numbers"),
    "names_differ": gettext_lazy("other names"),
    "dates_differ": gettext_lazy("other times"),
    "subjects_differ": gettext_lazy("about somebody or something else"),
    "other_object": gettext_lazy("another thing of the same sort"),
    "more_detail": gettext_lazy("one says more than the other"),
    "older_than_believed": gettext_lazy("it is older than what is believed"),
    "could_be_either": gettext_lazy("nothing says which of the two holds"),
    "unrelated": gettext_lazy("too little in common"),
    "stated_otherwise": gettext_lazy("whoever wrote it gave it another kind, attribute or value"),
    "other_agent": gettext_lazy("another agent was told; each keeps its own"),
}
# Why an answer of the language model was not kept, or why there was none (ledger.language_model).
DROPPED_WORDS = {
    "quote_not_in_text": gettext_lazy("it quotes what was not said"),
    "outside_spans": gettext_lazy("it is about a sentence that was not kept"),
    "addresses_the_model": gettext_lazy("the sentence gives orders to the model"),
    "other_language": gettext_lazy("it is in another language than what was said"),
    "content_not_in_text": gettext_lazy("it says more than was said"),
    "value_not_in_text": gettext_lazy("its value was not said"),
    "negation_differs": gettext_lazy("it turns yes into no, or no into yes"),
    "condition_left_out": gettext_lazy("it leaves out an “if” or a “maybe”"),
    "date_not_in_text": gettext_lazy("the date was not said"),
    "too_many": gettext_lazy("more statements than the policy allows from one message"),
}
FAILURE_WORDS = {
    "timeout": gettext_lazy("it took too long"),
    "unreachable": gettext_lazy("it could not be reached"),
    "rate_limited": gettext_lazy("it was asked too often"),
    "server_error": gettext_lazy("its server failed"),
    "unauthorised": gettext_lazy("it refused our key"),
    "bad_request": gettext_lazy("it did not understand the request"),
    "refused": gettext_lazy("it refused to answer"),
    "content_filter": gettext_lazy("its filter held the text back"),
    "too_long": gettext_lazy("the text or the answer was too long"),
    "broken_json": gettext_lazy("its answer could not be read"),
    "schema": gettext_lazy("its answer had another form than asked for"),
    "nothing_held": gettext_lazy("nothing in its answer stood up to the check"),
}


def verdict_words(*, admitted: bool, rule: str, score: float | None) -> str:
    """Why a sentence was kept or not."""
    words = str((ADMITTED_WORDS if admitted else REFUSED_WORDS).get(rule, rule))
    if score is None:
        return words
    return _("%(why)s (worth keeping with %(share)s)") % {
        "why": words,
        "share": f"{score:.0%}",
    }


def rules_words(codes: Iterable[str]) -> list[str]:
    """What the rules of extraction found, each once."""
    return list(dict.fromkeys(_rule_words(code) for code in codes))


def _rule_words(code: str) -> str:
    group, _colon, rest = code.partition(":")
    if group == "pattern":
        words = PATTERN_WORDS.get(rest)
        return str(words) if words else _slot_words(rest)
    if group in ("prototype", "keyword"):
        intent = {"intent": str(INTENT_WORDS.get(rest, rest))}
        by_meaning = group == "prototype"
        return (
            _("its meaning is near: %(intent)s")
            if by_meaning
            else _("its words are those of: %(intent)s")
        ) % intent
    if group == "date":
        return _("its words say when")
    if code == "default:fact":
        return _("nothing else fitted, so it counts as a fact")
    if code == "language_model":
        return _("the language model found it, and the words bear it out")
    return code


def _slot_words(attribute: str) -> str:
    return _("it tells this about the person: %(attribute)s") % {
        "attribute": attribute_word(attribute)
    }
