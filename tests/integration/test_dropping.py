"""What is dropped is gone from all that came with it; what may be no secret is masked instead."""

from ledger.masking import Masks
from ledger.policy.privacy import Privacy, PrivateKind
from ledger.privacy import Finding
from tenants.principals import AGENT_SCOPES
from tests.cast import Actor, Api
from tests.integration.talking import (
    contents,
    key_with,
    masked_values,
    memories,
    say,
    sealed_words,
    send,
    set_policy,
    turns_of,
)

PHONE = "13812345678"


def test_what_is_dropped_leaves_nothing(api: Api, tenant: Actor, unheard: list) -> None:
    set_policy(api, privacy={"actions": {"PHONE": "drop"}})
    say(api, f"My phone number is {PHONE}.")
    api.write("alice", f"The garage calls {PHONE} when the car is ready.")
    assert contents(api) == [
        "My phone number is [PHONE].",
        "The garage calls [PHONE] when the car is ready.",
    ]
    assert masked_values(tenant) == {}
    assert PHONE not in sealed_words(tenant)


def test_what_is_only_guessed_is_not_lost(api: Api, tenant: Actor) -> None:
    weak = key_with(tenant, *AGENT_SCOPES)
    told = "It asks for a PIN. Mine's 0070, but the keypad only beeps."
    set_policy(api, privacy={"drop_from": 0.999999})
    api.write("alice", told, verbatim=True)
    assert contents(api) == [told]
    assert contents(weak) == [told.replace("0070", "[PASSWORD_1]")]
    # Or whoever may ask could try every number.
    assert memories(weak, q="keypad") != []
    assert memories(weak, q="0070") == memories(api, q="0070") == []
    set_policy(api)
    api.write("bob", told, verbatim=True)
    assert contents(api, "bob") == [told.replace("0070", "[PASSWORD]")]
    assert masked_values(tenant, "bob") == {}


def test_what_is_dropped_in_one_place_is_kept_in_none(api: Api, tenant: Actor) -> None:
    set_policy(api, privacy={"drop_from": 0.999999})
    told = "The gate opens with kiwi-4-ever. My password is kiwi-4-ever."
    api.write("alice", told, verbatim=True)
    assert contents(api) == [told.replace("kiwi-4-ever", "[PASSWORD]")]
    assert masked_values(tenant) == {}


def test_what_is_dropped_in_a_turn_that_is_sent_again_is_kept_in_none(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, privacy={"drop_from": 0.999999})
    told = "My password is kiwi-4-ever."
    send(api, told)
    send(api, told, "The gate opens with kiwi-4-ever.")
    assert [turn["content"] for turn in turns_of(api)] == [
        "My password is [PASSWORD].",
        "The gate opens with [PASSWORD].",
    ]
    assert masked_values(tenant) == {}


def test_what_is_dropped_as_one_kind_is_kept_as_no_other() -> None:
    masks = Masks(Privacy())
    name, password = PrivateKind.NAME, PrivateKind.PASSWORD
    masks.note("Ask for bailey", [Finding(name, 8, 14, "list", 0.8)])
    masks.note("password bailey", [Finding(password, 9, 15, "assigned", 0.8)])
    assert masks.originals == {}
